import pg from 'pg';
import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { checkLinearizability } from '../support/linearizability.js';
import { nextPage } from '../support/pages.js';
import { useApp, useTwoApps, type RunningApp } from '../support/running-app.js';
import { slowDatabase } from '../support/slow-database.js';
import { changedPages, walk } from './walk.js';

interface Animal {
  readonly id: number;
  readonly name: string;
}

async function created(answer: Promise<Response>): Promise<{ text: string; pet: Animal }> {
  const { status, text } = await answer.then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }));
  if (status !== 201) throw new Error(`${status} ${text}`);
  return { text, pet: JSON.parse(text) as Animal };
}

describe.each(DATABASES)('an acknowledged pet on $name', ({ create }) => {
  const app = useApp(create);

  beforeAll(() => {
    slowDatabase(app, 2);
  });

  test('is found by its id and in the lists, among 16 clients that read all the time', async () => {
    const effort = { readers: 16, writers: 8, rounds: 300 };
    expect(await checkLinearizability([app], effort)).toMatchObject({ rounds: 300, miss: undefined });
  });

  test('is not mixed up with another one for clients that ask different things at the same time', async () => {
    const pets = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => await created(app.createPet({ name: `mixed ${n}`, categoryId: n }))),
    );
    const all = (await listAll(app)).map(({ id }) => id);
    const wrong: string[] = [];
    await Promise.all([
      ...pets.map(async ({ text, pet }) => {
        const answer = await app.request(`/v1/pets/${pet.id}`);
        if ((await answer.text()) !== text) wrong.push(text);
      }),
      ...pets.map(async ({ pet }) => {
        const { status } = await app.request(`/v1/pets/${pet.id + 1_000_000}`);
        if (status !== 404) wrong.push(`${status} for ${pet.id + 1_000_000}`);
      }),
      ...pets.map(async (_animal, n) => {
        const ids = ((await (await app.request(`/v1/pets?limit=${n + 1}`)).json()) as Animal[]).map(({ id }) => id);
        if (ids.join() !== all.slice(0, n + 1).join()) wrong.push(`${ids.join()} for ${n + 1}`);
      }),
      ...['pending', 'sold', 'gone', 'Sold'].map(async (status, n) => {
        const answer = await app.request(`/v1/pets?status=${status}`);
        if (answer.status !== (n < 2 ? 200 : 400)) wrong.push(`${answer.status} for ${status}`);
      }),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('two instances on one PostgreSQL database', () => {
  const apps = useTwoApps(createMigratedDatabase);

  test('show at once what the other one acknowledged', async () => {
    const missed: string[] = [];
    let next = '/v1/pets?limit=100';
    for (let n = 0; n < 100; n++) {
      const [writer, reader] = n % 2 === 0 ? apps : ([apps[1], apps[0]] as const);
      const { text, pet } = await created(writer.createPet({ name: 'Rex', categoryId: n }));
      const [one, list] = await Promise.all([reader.request(`/v1/pets/${pet.id}`), reader.request(next)]);
      if ((await one.text()) !== text) missed.push(`${pet.id} by its id`);
      if (!((await list.json()) as Animal[]).some(({ id }) => id === pet.id)) missed.push(`${pet.id} in the list`);
      next = nextPage(list) ?? next;
    }
    expect(missed).toEqual([]);
  });

  test('let no pet appear behind a client that walks the pages while both add', async () => {
    const before = (await listAll(apps[0])).length;
    const writers = apps.flatMap((app) =>
      Array.from({ length: 8 }, async (_, client) => {
        for (let n = 0; n < 20; n++) await created(app.createPet({ name: `client ${client}`, categoryId: n }));
      }),
    );
    const seen = await walk(apps, 5, Promise.all(writers));
    expect(seen.ids).toEqual((await listAll(apps[1])).map(({ id }) => id));
    expect(seen.ids).toHaveLength(before + 2 * 8 * 20);
    expect(await changedPages(seen, apps[0])).toEqual([]);
  });

  test('show a lower id first, also when its instance is slow to commit', async () => {
    const client = new pg.Client({ connectionString: apps[0].database.url });
    await client.connect();
    // The trigger delays the commit after the id has been assigned.
    await client.query(`create function wait_a_moment() returns trigger language plpgsql as
      $$ begin if new.name = 'slow' then perform pg_sleep(0.5); end if; return null; end $$`);
    await client.query('create trigger wait after insert on pets for each row execute function wait_a_moment()');
    const slow = created(apps[0].createPet({ name: 'slow', categoryId: 1 }));
    await untilWaiting(client);
    const { pet: quick } = await created(apps[1].createPet({ name: 'quick', categoryId: 1 }));
    const shown = (await listAll(apps[1])).map(({ id }) => id);
    const { pet } = await slow;
    await client.query('drop trigger wait on pets');
    await client.end();
    expect(pet.id).toBeLessThan(quick.id);
    expect(shown).toEqual(expect.arrayContaining([pet.id, quick.id]));
  });
});

/** Resolves when the service waits in the trigger. */
async function untilWaiting(client: pg.Client): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { rowCount } = await client.query("select from pg_stat_activity where wait_event = 'PgSleep'");
    if (rowCount === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('The trigger was never reached');
}

async function listAll(app: RunningApp): Promise<Animal[]> {
  const pets: Animal[] = [];
  for (let at: string | undefined = '/v1/pets?limit=100'; at !== undefined;) {
    const answer: Response = await app.request(at);
    pets.push(...((await answer.json()) as Animal[]));
    at = nextPage(answer);
  }
  return pets;
}
