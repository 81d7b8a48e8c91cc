import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { migrateServer } from '@animal-store/persistence';
import { ArchivedServers } from '../support/archived-server.js';
import { BuiltProgram } from '../support/built-server.js';
import { createEmbeddedDatabase } from '../support/databases.js';
import { postgresPrograms, versionOfPrograms } from '../support/postgres-programs.js';
import { recordProof } from '../support/proofs.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/sql.js';
import { transfer, type TransferOutcome } from '../support/transfer-command.js';

const BIN = postgresPrograms();
const describeWithPrograms = BIN === undefined ? describe.skip : describe;

const MILLION = 1_000_000;
const TENTH = MILLION / 10;

/** The memory that ten times as many rows may use in addition, in MiB: a third of the memory that all rows would need. */
const MORE_MEMORY_MIB = 96;

/**
 * The heap of the commands, in MiB. A command that keeps its rows ends with an error. Without a limit the resident memory would
 * also depend on when V8 collects garbage.
 */
const HEAP_MIB = 96;
const HEAP = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };

/** Adds pets. One in ten of them has an idempotency key. */
async function seed(url: string, from: number, to: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`insert into pets (name, category_id, status)
      select 'pet ' || n, n, (array['available', 'pending', 'sold'])[1 + n % 3] from generate_series(${from}, ${to}) n`);
    await client.query(`insert into idempotency_keys (holder, key, fingerprint, result_id)
      select '1', 'key ' || n, encode(sha256(n::text::bytea), 'hex'), n from generate_series(${from}, ${to}, 10) n`);
    await client.query('vacuum analyze');
  });
}

/** A checksum of all rows of the two large tables. */
async function sumOf(url: string): Promise<unknown[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<Record<string, unknown>>(`
      select (select count(*) from pets) as pets, (select sum(hashtext(p::text)::bigint) from pets p) as pets_sum,
        (select count(*) from idempotency_keys) as keys, (select sum(hashtext(k::text)::bigint) from idempotency_keys k) as keys_sum`),
  );
  return Object.values(rows[0] ?? {});
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function told({ seconds, memory }: TransferOutcome): string {
  return `${seconds.toFixed(1)} s, ${memory} MiB`;
}

describeWithPrograms('a million pets', () => {
  let servers: ArchivedServers;
  let folder: string;
  let tenthDesk: ReturnType<typeof createEmbeddedDatabase>;
  let desk: typeof tenthDesk;

  beforeEach(() => {
    servers = new ArchivedServers(BIN!);
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    [tenthDesk, desk] = [createEmbeddedDatabase(), createEmbeddedDatabase()];
  });

  afterEach(async () => {
    await servers.remove();
    rmSync(folder, { recursive: true, force: true });
    await tenthDesk.remove();
    await desk.remove();
  });

  test('are backed up, exported, imported and copied, in bounded memory', async () => {
    const source = await servers.create('source', true);
    const url = source.url;
    await migrateServer(url);
    await seed(url, 1, TENTH);
    const [tenthFile, file] = [join(folder, 'tenth.gz'), join(folder, 'all.gz')];
    const tenthExport = await transfer('export', { DATABASE_URL: url, ...HEAP }, '--output', tenthFile);
    await seed(url, TENTH + 1, MILLION);
    const sum = await sumOf(url);

    // The backup and restore programs of PostgreSQL.
    const backups = servers.makeFolder('backups');
    const base = servers.pathIn(backups, 'base');
    const baseSeconds = await secondsOf(() =>
      servers.program('pg_basebackup', '--dbname', url, '--pgdata', base, '--checkpoint', 'fast'),
    );
    await servers.untilArchived(source);
    let restored: Awaited<ReturnType<ArchivedServers['restore']>> | undefined;
    const recoverySeconds = await secondsOf(async () => (restored = await servers.restore(base, [])));
    expect(await sumOf(restored!.url)).toEqual(sum);
    const dump = servers.pathIn(backups, 'dump');
    const dumpSeconds = await secondsOf(() =>
      servers.program('pg_dump', '--dbname', url, '--format', 'custom', '--file', dump),
    );
    const target = await servers.create('target', false);
    const database = (name: string) => Object.assign(new URL(target.url), { pathname: `/${name}` }).toString();
    await servers.program('createdb', '--maintenance-db', target.url, 'dumped');
    const undumpSeconds = await secondsOf(() =>
      servers.program('pg_restore', '--dbname', database('dumped'), '--jobs', '2', dump),
    );
    expect(await sumOf(database('dumped'))).toEqual(sum);

    // The commands of the service, on a PostgreSQL server.
    const exported = await transfer('export', { DATABASE_URL: url, ...HEAP }, '--output', file);
    for (const name of ['tenth', 'all']) await servers.program('createdb', '--maintenance-db', target.url, name);
    const tenthImport = await transfer('import', { DATABASE_URL: database('tenth'), ...HEAP }, tenthFile);
    const imported = await transfer('import', { DATABASE_URL: database('all'), ...HEAP }, file);
    expect(await sumOf(database('all'))).toEqual(sum);
    expect(exported.memory).toBeLessThan(tenthExport.memory + MORE_MEMORY_MIB);
    expect(imported.memory).toBeLessThan(tenthImport.memory + MORE_MEMORY_MIB);

    // The commands of the service on the embedded database, while a server on the database answers requests.
    const tenthEmbedded = await transfer('import', { ...tenthDesk.environment, ...HEAP }, tenthFile);
    const embedded = await transfer('import', { ...desk.environment, ...HEAP }, file);
    const service = new BuiltProgram('main', { ...desk.environment, BOOTSTRAP_API_KEY: TEST_API_KEY });
    const client = clientOf(await service.listening());
    const pauses = await slowestWhile(client, async () => {
      const copied = await transfer('copy', { ...desk.environment, ...HEAP }, join(folder, 'copy'));
      const back = await transfer('export', { ...desk.environment, ...HEAP }, '--output', join(folder, 'back.gz'));
      return { copied, back };
    });
    await service.kill('SIGTERM');
    const { copied, back } = pauses.result;
    const tenthOutput = join(folder, 'tenth-back.gz');
    const tenthBack = await transfer('export', { ...tenthDesk.environment, ...HEAP }, '--output', tenthOutput);
    expect(embedded.memory).toBeLessThan(tenthEmbedded.memory + MORE_MEMORY_MIB);
    expect(back.memory).toBeLessThan(tenthBack.memory + MORE_MEMORY_MIB);
    await servers.program('createdb', '--maintenance-db', target.url, 'back');
    await transfer('import', { DATABASE_URL: database('back'), ...HEAP }, join(folder, 'back.gz'));
    expect(await sumOf(database('back'))).toEqual(sum);
    expect(pauses.failures).toBe(0);

    const figures = {
      pets: MILLION,
      'idempotency keys': MILLION / 10,
      pg_basebackup: `${baseSeconds.toFixed(1)} s`,
      'recovery to the end of the archive': `${recoverySeconds.toFixed(1)} s`,
      pg_dump: `${dumpSeconds.toFixed(1)} s, ${Math.round(statSync(dump).size / 1024 ** 2)} MiB`,
      'pg_restore, 2 jobs': `${undumpSeconds.toFixed(1)} s`,
      'size of the file of db:export': `${Math.round(statSync(file).size / 1024 ** 2)} MiB`,
      'db:export of a server': told(exported),
      'db:export of a tenth': told(tenthExport),
      'db:import into a server': told(imported),
      'db:import of a tenth': told(tenthImport),
      'db:import into an embedded database': told(embedded),
      'the same of a tenth': told(tenthEmbedded),
      'db:export beside a running server': told(back),
      'for which its statements waited': `${back.pausedMs} ms`,
      'db:copy beside a running server': told(copied),
      'for which its statements waited meanwhile': `${copied.pausedMs} ms`,
      'slowest of the requests meanwhile': `${Math.round(pauses.slowestMs)} ms of ${pauses.requests}`,
      machine: `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
    };
    console.log(figures);
    recordProof('backup-size', {
      promise:
        'A million pets are backed up and moved in seconds, with at most 96 MiB more memory than a tenth of them',
      trial: `pg_basebackup, pg_dump, db:export, db:import and db:copy of 1,000,000 pets and 100,000 idempotency keys, restored and compared; the commands have a heap of ${HEAP_MIB} MiB, and take at most ${MORE_MEMORY_MIB} MiB more than with a tenth`,
      command: 'npm run test:faults -- backup-size',
      figures,
      versions: { postgresql: versionOfPrograms(BIN!) },
    });
  }, 600_000);
});

/** Lists pets, one request after the other, while `work` runs. */
async function slowestWhile<Result>(client: ReturnType<typeof clientOf>, work: () => Promise<Result>) {
  const seen = { isOver: false, requests: 0, failures: 0, slowestMs: 0 };
  const asking = (async () => {
    while (!seen.isOver) {
      const began = performance.now();
      const answer = await client.request(`/v1/pets?limit=${1 + (seen.requests % 100)}`);
      await answer.arrayBuffer();
      seen.requests += 1;
      if (answer.status !== 200) seen.failures += 1;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - began);
    }
  })();
  try {
    const result = await work();
    return { ...seen, result };
  } finally {
    seen.isOver = true;
    await asking;
  }
}
