import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import type { MikroORM } from '@mikro-orm/core';
import pg from 'pg';
import { migrationFiles } from '../../libs/persistence/src/migrator/migration-files.js';
import { openForMigrations } from '../../libs/persistence/src/migrator/migrate-server.js';
import { createServerDatabase, type ServerDatabase } from '../support/databases.js';
import { printFigures } from '../support/print-figures.js';
import { withClient } from '../support/database-client.js';

const PETS = Number(process.env['UPGRADE_PETS'] ?? 5_000_000);
/** Each addition with a key in the last day has one. */
const IDEMPOTENCY_KEYS = PETS / 5;
const API_KEYS = 1_000;

/** The longest time that a statement of the service may take while a migration runs, in milliseconds. */
const LONGEST_MS = 1_000;

/** The statements that the service sends continuously. `$1` is an id. */
const STATEMENTS = [
  'select id, name, category_id, status from pets where id = $1',
  `select id, name, category_id, status from pets where status = 'sold' and id > $1 order by id limit 20`,
  `insert into pets (name, category_id, status) values ('Rex', $1, 'available')`,
  `update pets set status = 'sold' where id = $1`,
  'select id, name from api_keys where id = $1',
];

/** Clients that read and write on their own connections, and record the longest wait. */
class Watchers {
  statements = 0;
  private longestMs = 0;
  /** When each client sent the statement for which it waits. */
  private readonly sentAt = new Map<string, number>();
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(url: string) {
    this.running = STATEMENTS.map((statement) => this.run(url, statement));
  }

  /** @returns the longest wait since the last call, in milliseconds, including waits that have not ended */
  takeLongest(): number {
    const now = performance.now();
    const longest = Math.max(this.longestMs, ...[...this.sentAt.values()].map((sentAt) => now - sentAt));
    this.longestMs = 0;
    return Math.round(longest);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  private async run(url: string, text: string): Promise<void> {
    await withClient(url, async (client) => {
      while (!this.stopped) {
        const sentAt = performance.now();
        this.sentAt.set(text, sentAt);
        await client.query(text, [randomInt(1, PETS)]);
        this.longestMs = Math.max(this.longestMs, performance.now() - sentAt);
        this.statements++;
      }
      this.sentAt.delete(text);
    });
  }
}

describe(`on ${PETS.toLocaleString('en')} pets that are read and written all the time`, () => {
  const migrations = migrationFiles([]).map((path) => basename(path, '.ts'));
  let database: ServerDatabase;
  let orm: MikroORM;
  let watchers: Watchers;

  function execute(...statements: string[]): Promise<void> {
    return withClient(database.url, async (client: pg.Client) => {
      for (const statement of statements) await client.query(statement);
    });
  }

  /** @returns the longest wait of a statement during the work, in milliseconds */
  async function longestWaitDuring(work: () => Promise<unknown>): Promise<number> {
    watchers.takeLongest();
    await work();
    return watchers.takeLongest();
  }

  beforeAll(async () => {
    database = await createServerDatabase();
    orm = await openForMigrations(database.url);
    await orm.migrator.up({ migrations: migrations.slice(0, 1) });
    await execute(
      `insert into pets (name, category_id, status)
       select 'pet-' || md5(n::text), n % 100, (array['available', 'pending', 'sold'])[1 + n % 3]
       from generate_series(1, ${PETS}) n`,
      `insert into api_keys (name, hash) select n, md5(n::text) || md5(n::text) from generate_series(1, ${API_KEYS}) n`,
      'vacuum analyze',
    );
    watchers = new Watchers(database.url);
  }, 300_000);

  afterAll(async () => {
    await watchers.stop();
    await orm.close();
    await database.remove();
  });

  test('no migration since the first keeps a statement waiting for longer than a second', async () => {
    const longest: Record<string, number> = {};
    for (const name of migrations.slice(1)) {
      longest[name] = await longestWaitDuring(() => orm.migrator.up({ migrations: [name] }));
      if (name.endsWith('_idempotency_keys')) await fillIdempotencyKeys();
    }
    expect(Object.entries(longest).filter(([, ms]) => ms > LONGEST_MS)).toEqual([]);
    printFigures('No migration keeps a statement of the service waiting for longer than a second', {
      pets: PETS,
      idempotencyKeys: IDEMPOTENCY_KEYS,
      statementsMeanwhile: watchers.statements,
      ...Object.fromEntries(Object.entries(longest).map(([name, ms]) => [`${name}, longest wait in ms`, ms])),
    });
  }, 300_000);

  function fillIdempotencyKeys(): Promise<void> {
    return execute(
      `insert into idempotency_keys (holder, key, fingerprint, result_id)
       select 'shop', n, md5(n::text) || md5(n::text), n from generate_series(1, ${IDEMPOTENCY_KEYS}) n`,
    );
  }

  test('the measure finds an index that is not made concurrently, which the rules refuse', async () => {
    // It is rolled back: the lock is held all the same.
    const longest = await longestWaitDuring(() => execute('begin', 'create index wrong on pets (name)', 'rollback'));
    expect(longest).toBeGreaterThan(LONGEST_MS);
  }, 300_000);

  test.each([
    ['an index that is made concurrently', ['create index concurrently pets_name_index on pets (name)']],
    ['a column that may be null', ['alter table pets add column mood text null']],
    ['a column with a constant', [`alter table pets add column legs int not null default 4`]],
    ['a check for new rows', [`alter table pets add constraint pets_name_check check (name <> '') not valid`]],
    ['its validation', ['alter table pets validate constraint pets_name_check']],
  ])(
    '%s, which the rules allow, keeps no statement waiting for longer than a second',
    async (_what, statements) => {
      expect(await longestWaitDuring(() => execute(...statements))).toBeLessThan(LONGEST_MS);
    },
    300_000,
  );
});
