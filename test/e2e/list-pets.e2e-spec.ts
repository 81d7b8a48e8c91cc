import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp, useTwoApps } from '../support/running-app.js';
import { nextPage } from '../support/page-links.js';

const STATUSES = ['available', 'pending', 'sold'] as const;

interface Animal {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

describe('listPets', () => {
  const app = useApp(createMigratedDatabase);

  /** The pets of one response, and the address of the next page. */
  async function page(path: string): Promise<{ pets: Animal[]; next: string | undefined }> {
    const answer = await app.request(path);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return { pets: (await answer.json()) as Animal[], next: nextPage(answer) };
  }

  /** Every pet from `path` onwards, page by page. */
  async function walk(path: string): Promise<Animal[][]> {
    const pages: Animal[][] = [];
    for (let at: string | undefined = path; at !== undefined;) {
      const { pets, next }: { pets: Animal[]; next: string | undefined } = await page(at);
      pages.push(pets);
      at = next;
    }
    return pages;
  }

  describe('with 45 pets', () => {
    beforeAll(async () => {
      for (let n = 1; n <= 45; n++) {
        await app.createPet({ name: `Animal ${n}`, categoryId: n, status: STATUSES[n % 3]! });
      }
    });

    test.each(STATUSES)('shows those that are %s alone', async (status) => {
      const [pets = []] = await walk(`/v1/pets?limit=100&status=${status}`);
      expect(pets.map(({ name }) => name)).toEqual(
        Array.from({ length: 45 }, (_, index) => index + 1)
          .filter((n) => STATUSES[n % 3] === status)
          .map((n) => `Animal ${n}`),
      );
    });

    test.each([
      ['/v1/pets', [20, 20, 5]],
      ['/v1/pets?status=sold&limit=4', [4, 4, 4, 3]],
    ])('leads from %s through pages of %j pets, the last one without a link', async (path, sizes) => {
      const pages = await walk(path);
      expect(pages.map(({ length }) => length)).toEqual(sizes);
    });

    test('gives 304 to who has the page, with the headers that the 200 would have', async () => {
      const first = await app.request('/v1/pets?limit=5');
      const tag = first.headers.get('etag')!;
      const second = await app.request('/v1/pets?limit=5', { headers: { 'if-none-match': tag } });
      expect(tag).toMatch(/^"[!-~]+"$/);
      expect([second.status, await second.text()]).toEqual([304, '']);
      for (const name of ['etag', 'link', 'cache-control', 'vary'])
        expect(second.headers.get(name)).toBe(first.headers.get(name));
    });

    test('gives another entity tag once a pet was added', async () => {
      const tag = (await app.request('/v1/pets?limit=100')).headers.get('etag')!;
      await app.createPet({ name: 'The 46th', categoryId: 1 });
      const answer = await app.request('/v1/pets?limit=100', { headers: { 'if-none-match': tag } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).not.toBe(tag);
    });
  });
});

describe('the query of listPets', () => {
  const app = useApp(createMigratedDatabase);

  const LIMIT = 'limit must be an integer between 1 and 100, written in plain decimal digits';
  const STATUS = 'status must be one of available, pending, sold';

  test.each<[string, string]>([
    ['limit=0', LIMIT],
    ['limit=101', LIMIT],
    ['limit=5&limit=5', 'limit was sent 2 times: send it once'],
    ['status=Sold', STATUS],
    ['status=', STATUS],
    ['status=sold&status=sold', 'status was sent 2 times: send it once'],
    ['stauts=sold', 'unknown query parameter "stauts": did you mean status?'],
    ['__proto__=5', 'unknown query parameter "__proto__": allowed are status, '],
    ['limit=0&status=gone&page=2', `${STATUS}; ${LIMIT}; unknown query parameter "page": allowed are status, `],
    ['cursor=a&cursor=b', 'cursor was sent 2 times: send it once'],
  ])('is refused as ?%s, in words that say what is expected', async (query, beginning) => {
    const { code, status, message } = await readError(await app.request(`/v1/pets?${query}`));
    expect([code, status, message.slice(0, beginning.length)]).toEqual(['invalid_request', 400, beginning]);
  });
});

describe('a cursor', () => {
  const apps = useTwoApps(createMigratedDatabase);

  test('of one instance is good at the others, also when both make their first at the same time', async () => {
    for (const name of ['Rex', 'Tom']) await apps[0].createPet({ name, categoryId: 7 });
    const links = await Promise.all(apps.map(async (app) => nextPage(await app.request('/v1/pets?limit=1'))));
    expect(links[0]).toBe(links[1]);
    expect((await apps[1].request(links[0]!)).status).toBe(200);
  });
});
