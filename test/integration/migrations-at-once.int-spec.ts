import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { takeMigrationLock } from '../../libs/persistence/src/migrator/migrate-server.js';
import { ADVISORY_LOCKS } from '../../libs/persistence/src/transactions/lock-additions.js';
import { createMigratedDatabase, createServerDatabase, type ServerDatabase } from '../support/databases.js';
import { untilBlocked, withClient } from '../support/database-client.js';

/** The last of these migrations makes an index concurrently, which waits for every snapshot of another session. */
const FOLDER = join(import.meta.dirname, 'migrations-in-use');
const LAST = '20991231000001_mood_index';

/** A database without the last migration. */
async function createWithoutLast(): Promise<ServerDatabase> {
  const database = await createMigratedDatabase([FOLDER]);
  await execute(database, 'drop index pets_mood_index', `delete from mikro_orm_migrations where name = '${LAST}'`);
  return database;
}

async function execute({ url }: ServerDatabase, ...statements: string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Whether the index of the last migration is valid; `undefined`: there is none. */
async function isIndexValid({ url }: ServerDatabase): Promise<boolean | undefined> {
  const statement = `select indisvalid from pg_index where indexrelid = to_regclass('pets_mood_index')`;
  const { rows } = await withClient(url, (client) => client.query<{ indisvalid: boolean }>(statement));
  return rows[0]?.indisvalid;
}

/** `MIGRATION_ROUNDS=100 npm run test:integration -- migrations-at-once` is the long proof. */
const ROUNDS = Number(process.env['MIGRATION_ROUNDS'] ?? 1);
const ROUND_MS = 20_000;
const AT_ONCE = 4;

test.each([
  ['an empty database', createServerDatabase],
  ['a database that lacks only the last one', createWithoutLast],
])(
  `${AT_ONCE} migrations at once end on %s, each is run once, and the index is valid`,
  async (_what, create) => {
    for (let round = 0; round < ROUNDS; round++) {
      const database = await create();
      try {
        const done = await Promise.all(Array.from({ length: AT_ONCE }, () => migrateServer(database.url, [FOLDER])));
        expect(done.flat().filter((name) => name === LAST)).toEqual([LAST]);
        expect(done.flat()).toHaveLength(new Set(done.flat()).size);
        expect(await isIndexValid(database)).toBe(true);
      } finally {
        await database.remove();
      }
    }
  },
  ROUNDS * ROUND_MS,
);

describe('the lock of the migrations, while another session holds it,', () => {
  let database: ServerDatabase;

  beforeEach(async () => {
    database = await createServerDatabase();
  });

  afterEach(() => database.remove());

  /** Does the work while a migration holds the lock. */
  function whileHeld(work: (release: () => Promise<unknown>) => Promise<void>): Promise<void> {
    return withClient(database.url, async (holder) => {
      await takeMigrationLock(holder);
      await work(() => holder.query(`select pg_advisory_unlock(${ADVISORY_LOCKS.migration}) as released`));
    });
  }

  test('is waited for outside of any transaction', async () => {
    await whileHeld(async (release) => {
      const done = migrateServer(database.url);
      const waiting = `select xact_start from pg_stat_activity where datname = current_database()
        and application_name = 'animal-store-migrate' and query like '%advisory_lock%' and state = 'idle'`;
      let seen: unknown[] = [];
      while (seen.length === 0) {
        await delay(20);
        seen = (await withClient(database.url, (client) => client.query(waiting))).rows;
      }
      expect(seen).toEqual([{ xact_start: null }]);
      await release();
      expect(await done).not.toEqual([]);
    });
  });

  test('is held for longer than the role or the database lets a session be idle or a transaction be open', async () => {
    await execute(
      database,
      `do $$ declare setting text; begin
        for setting in select name from pg_settings
          where name in ('idle_session_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout') loop
          execute format('alter database %I set %I = 1000', current_database(), setting);
        end loop;
      end $$`,
    );
    await whileHeld(async (release) => {
      await delay(1_500);
      await expect(release()).resolves.toMatchObject({ rows: [{ released: true }] });
    });
  });
});

describe('an index that a broken run left invalid', () => {
  let database: ServerDatabase;

  beforeEach(async () => {
    database = await createWithoutLast();
  });

  afterEach(() => database.remove());

  const MAKE = 'create index concurrently "pets_mood_index" on "pets" ("mood")';
  const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity where query = '${MAKE}'`;

  /** Does the work while another session makes the index, and waits for a transaction until `end` is called. */
  async function whileMade(
    work: (made: Promise<unknown>, end: () => Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    await withClient(database.url, async (writer) => {
      await writer.query(`begin; insert into pets (name, category_id, status) values ('Rex', 7, 'sold')`);
      const made = execute(database, MAKE).catch((error: unknown) => error);
      await untilBlocked(database.url);
      await work(made, () => writer.query('commit'));
    });
  }

  test('is dropped and made again', async () => {
    await whileMade(async (made, end) => {
      await execute(database, CANCEL);
      await made;
      await end();
    });
    expect(await isIndexValid(database)).toBe(false);
    expect(await migrateServer(database.url, [FOLDER])).toEqual([LAST]);
    expect(await isIndexValid(database)).toBe(true);
  });
});
