import pg from 'pg';
import { createMigratedDatabase } from '../support/databases.js';
import { checkLinearizability } from '../support/linearizability.js';
import { allPets } from '../support/page-links.js';
import { useTwoApps } from '../support/running-app.js';

describe('two instances on one PostgreSQL database', () => {
  const apps = useTwoApps(createMigratedDatabase);

  test('show at once what either of them acknowledged', async () => {
    const effort = { readers: 8, writers: 4, rounds: 100 };
    expect(await checkLinearizability(apps, effort)).toMatchObject({ rounds: 100, miss: undefined });
  });

  test('show a lower id first, also when its instance is slow to commit', async () => {
    const client = new pg.Client({ connectionString: apps[0].database.url });
    await client.connect();
    // The trigger delays the commit after the id has been assigned.
    await client.query(`create function wait_a_moment() returns trigger language plpgsql as
      $$ begin if new.name = 'slow' then perform pg_sleep(0.5); end if; return null; end $$`);
    await client.query('create trigger wait after insert on pets for each row execute function wait_a_moment()');
    const created = async (pet: Promise<Response>) => (await (await pet).json()) as { id: number };
    const slow = created(apps[0].createPet({ name: 'slow', categoryId: 1 }));
    await untilWaiting(client);
    const quick = await created(apps[1].createPet({ name: 'quick', categoryId: 1 }));
    const shown = (await allPets<{ id: number }>(apps[1])).map(({ id }) => id);
    const pet = await slow;
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
