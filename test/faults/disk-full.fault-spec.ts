import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { BuiltProgram } from '../support/built-server.js';
import { freePort } from '../support/free-port.js';
import { Load, type Acknowledged } from '../support/load.js';
import { Scrape } from '../support/metrics.js';
import { allPets } from '../support/pages.js';
import { startLocalServer, unprivilegedUser, type LocalPostgresServer } from '../support/postgres-server.js';
import { printFigures } from '../support/figures.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { withClient } from '../support/sql.js';

const CLIENTS = 32;
const FULL_FOR_MS = 3_000;

/** The pets, their indexes and the idempotency keys are on their own disk. The write-ahead log is not on this disk. */
const MOVE = `
  create tablespace small location '<folder>';
  alter table pets set tablespace small;
  alter table idempotency_keys set tablespace small;
  do $$ declare name text; begin
    for name in select indexname from pg_indexes where tablename in ('pets', 'idempotency_keys') loop
      execute format('alter index %I set tablespace small', name);
    end loop;
  end $$;
  create table filler (bytes text) tablespace small;
  alter table filler alter bytes set storage plain`;

/** Fills every page of the disk. */
const FILL = `
  do $$ begin
    loop insert into filler values (repeat('x', 7000)); end loop;
  exception when disk_full then
    null;
  end $$`;

const disk = mountSmallDisk(24);
const describeWithDisk = disk === undefined ? describe.skip : describe;
if (disk === undefined)
  console.warn('A small disk cannot be mounted: so a full one is not tested. On Linux: run it as root');

describeWithDisk('while the disk of the database is full', () => {
  let database: LocalPostgresServer;
  let server: BuiltProgram;
  let url: string;
  let metricsUrl: string;

  beforeAll(async () => {
    database = await startLocalServer();
    await migrateServer(database.url);
    const folder = join(disk?.folder ?? '', 'tablespace');
    mkdirSync(folder, { mode: 0o700 });
    const owner = unprivilegedUser();
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    await onDatabase(MOVE.replace('<folder>', folder));
    const metricsPort = await freePort();
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    server = new BuiltProgram('main', {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      DATABASE_URL: database.url,
      METRICS_PORT: String(metricsPort),
    });
    url = await server.listening();
  }, 60_000);

  afterAll(async () => {
    await server.kill('SIGKILL');
    await database.stop();
    disk?.remove();
  });

  /** Executes each statement separately: a tablespace cannot be created inside a transaction. */
  async function onDatabase(text: string): Promise<void> {
    await withClient(database.url, async (client) => {
      for (const statement of text.split(/;\n(?=\s*(?:create|alter|do|delete|vacuum))/)) await client.query(statement);
    });
  }

  async function diskFullErrors(): Promise<number> {
    const scrape = await Scrape.at(metricsUrl);
    return scrape.value('animal_store_database_errors_total', { reason: 'disk_full' }) ?? NaN;
  }

  test('additions are refused, reads are served, and nothing that was acknowledged is lost', async () => {
    const client = clientOf(url);
    const load = new Load(url, CLIENTS, 50);
    await delay(1_000);
    expect(await diskFullErrors()).toBe(0);

    await onDatabase(FILL);
    // First the free space in the last pages of the table is used up.
    while ((await client.createPet({ name: 'x'.repeat(255), categoryId: 1 })).status === 201);
    const fullAt = performance.now();
    await delay(FULL_FOR_MS);
    const readiness = (await fetch(`${url}/health/ready`)).status;
    const emptiedAt = performance.now();
    const errors = await diskFullErrors();
    await onDatabase('drop table filler');
    await delay(1_000);
    await load.stop();

    const whileFull = load.outcomes.filter(
      ({ endedAt, durationMs }) => endedAt - durationMs > fullAt + 100 && endedAt < emptiedAt,
    );
    const after = load.outcomes.filter(({ endedAt, durationMs }) => endedAt - durationMs > emptiedAt + 500);
    const statuses = [...new Set(whileFull.map(({ status }) => status))].toSorted((one, other) => one - other);
    const stored = new Map((await allPets<Acknowledged>(client)).map(({ id, name }) => [id, name]));
    const lost = load.acknowledged.filter(({ id, name }) => stored.get(id) !== name);
    console.log(`${load.summary()}; ${errors} statements failed with disk_full; lost: ${lost.length}`);

    expect(load.outcomes.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(statuses).toEqual([200, 503]);
    expect(readiness).toBe(200);
    expect(errors).toBeGreaterThan(0);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(lost).toEqual([]);
    printFigures(
      'While the disk of the database is full additions are refused, reads are served, and nothing is lost',
      {
        acknowledged: load.acknowledged.length,
        lost: lost.length,
        'reads served while it was full': whileFull.filter(({ status }) => status === 200).length,
        'additions refused while it was full': whileFull.filter(({ status }) => status === 503).length,
        'answers without the Error body': 0,
      },
    );
  }, 60_000);
});
