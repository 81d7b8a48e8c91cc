import { createMigratedDatabase } from '../support/databases.js';
import { nextPage } from '../support/pages.js';
import { useApp } from '../support/running-app.js';
import { sentBy } from '../support/sent-statements.js';
import { withClient } from '../support/sql.js';

const STATUSES = ['available', 'pending', 'sold'] as const;
const PETS = 900;
const REQUESTS = 600;

/** A request for a page, and the ids that the page must show. */
interface Question {
  readonly path: string;
  readonly ids: readonly number[];
}

describe('a mix in which every request has another filter, cursor and limit', () => {
  const app = useApp(createMigratedDatabase);
  const questions: Question[] = [];

  beforeAll(async () => {
    await withClient(app.database.url, (client) =>
      client.query(`
        insert into pets (name, category_id, status)
        select 'Rex', 7, (array['available', 'pending', 'sold'])[1 + n % 3] from generate_series(1, ${PETS}) as n`),
    );
    questions.push(...(await askable()));
  });

  /** Walks every list in steps of 3 to get the cursors. Each request has a combination of cursor and limit that no other has. */
  async function askable(): Promise<Question[]> {
    const found: Question[] = [];
    for (const status of [undefined, ...STATUSES]) {
      const filter = status === undefined ? '' : `&status=${status}`;
      const ids = Array.from({ length: PETS }, (_, index) => index + 1).filter(
        (id) => status === undefined || STATUSES[id % 3] === status,
      );
      let shown = 0;
      for (let at: string | undefined = `/v1/pets?limit=3${filter}`; at !== undefined;) {
        const limit = 1 + (found.length % 100);
        found.push({ path: at.replace('limit=3', `limit=${limit}`), ids: ids.slice(shown, shown + limit) });
        shown += 3;
        at = nextPage(await app.request(at));
      }
    }
    return found.slice(0, REQUESTS);
  }

  async function wrongAnswer({ path, ids }: Question): Promise<string[]> {
    const answer = await app.request(path);
    const text = await answer.text();
    const shown = answer.status === 200 ? (JSON.parse(text) as { id: number }[]).map(({ id }) => id) : [];
    return shown.join() === ids.join() ? [] : [`${path}: ${answer.status} ${text}`];
  }

  test('is one: no two requests are the same', () => {
    expect(new Set(questions.map(({ path }) => path)).size).toBe(REQUESTS);
  });

  test('is answered right by one statement a request where they come one by one', async () => {
    const wrong: string[] = [];
    const sent = await sentBy(async () => {
      for (const question of questions) wrong.push(...(await wrongAnswer(question)));
    });
    expect(wrong).toEqual([]);
    expect(sent).toHaveLength(REQUESTS);
  });

  test('is answered right by fewer statements than requests where 64 clients send it', async () => {
    const waiting = [...questions];
    const wrong: string[] = [];
    const client = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) wrong.push(...(await wrongAnswer(next)));
    };
    const sent = await sentBy(() => Promise.all(Array.from({ length: 64 }, client)));
    expect(wrong).toEqual([]);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(REQUESTS);
  });

  test('of lists and pets is answered by one statement a request at most while others add', async () => {
    const wrong: string[] = [];
    const created: number[] = [];
    const sent = await sentBy(() =>
      Promise.all(
        questions.slice(0, 200).map(async (question, n) => {
          if (n % 3 === 0) created.push((await app.createPet({ name: 'Tom', categoryId: n })).status);
          else if (n % 3 === 1) {
            const { id } = (await (await app.request(`/v1/pets/${n}`)).json()) as { id: number };
            if (id !== n) wrong.push(`${id} for ${n}`);
          } else if (question.ids.length === 1 + (n % 100)) wrong.push(...(await wrongAnswer(question)));
        }),
      ),
    );
    expect(wrong).toEqual([]);
    expect(new Set(created)).toEqual(new Set([201]));
    expect(sent.length).toBeLessThanOrEqual(200);
  });
});
