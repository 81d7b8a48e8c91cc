import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { migrateServer } from '@animal-store/persistence';
import { BuiltProgram } from '../support/built-program.js';
import { printFigures } from '../support/print-figures.js';
import { freePort } from '../support/free-port.js';
import { addKeyed, KeyedAdditions } from './keyed-additions.js';
import { run, unprivilegedUser } from '../support/postgres-server.js';
import { ReplicatedServer } from '../support/replication.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';
import { documentedBlock } from './documented-commands.js';
import { postgresPrograms } from './postgres-programs.js';

const BIN = postgresPrograms();
const describeWithPrograms = BIN === undefined ? describe.skip : describe;

const CLIENTS = 16;
const JOB = join(import.meta.dirname, '../../deploy/kubernetes/backup.yaml');
const SEEDS = `insert into pets (name, category_id, status) select 'seed', n, 'sold' from generate_series(1, 200000) n`;

interface CronJob {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: { readonly template: { readonly spec: { readonly containers: [{ readonly args: [string] }] } } };
    };
  };
}

describeWithPrograms('what was backed up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const data = join(folder, 'data');
  let source: ReplicatedServer;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    for (const path of [data, ...['', '/base', '/wal'].map((name) => join(folder, `backup${name}`))]) {
      mkdirSync(path, { mode: 0o700 });
      const owner = unprivilegedUser();
      if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    }
    await run(join(BIN!, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], unprivilegedUser());
    appendFileSync(join(data, 'postgresql.conf'), placed(documentedBlock('archive_command')));
    source = new ReplicatedServer(BIN!, data, await freePort());
    await source.start();
    await migrateServer(source.url);
    await source.execute(SEEDS);
  });

  afterAll(async () => {
    await source.stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });

  /** The documented text, with this test's folder in place of the root. */
  function placed(text: string): string {
    return text.replaceAll('/backup', join(folder, 'backup'));
  }

  /** Runs a documented script as the user of PostgreSQL. @returns its output */
  async function runAsPostgres(script: string, variables: Record<string, string>): Promise<string> {
    const env = { PATH: `${BIN}:${process.env['PATH']}`, ...variables };
    const options = { cwd: folder, env, ...unprivilegedUser() };
    return (await promisify(execFile)('sh', ['-euc', placed(script)], options)).stdout;
  }

  test('by the nightly job of Kubernetes is restored into a new database', async () => {
    const { spec } = parse(readFileSync(JOB, 'utf8')) as CronJob;
    const [script] = spec.jobTemplate.spec.template.spec.containers[0].args;
    writeFileSync(join(folder, 'uri'), source.url);
    await runAsPostgres(script.replace('/run/secrets/database/uri', join(folder, 'uri')), {});
    const files = readdirSync(join(folder, 'backup')).filter((name) => name.endsWith('.sql.gz'));
    expect(files).toHaveLength(1);
    const restoreBegan = performance.now();
    await runAsPostgres(`gunzip --stdout /backup/${files[0]} >/backup/animal-store.sql`, {});
    for (const statement of documentedBlock('create role animal_store').split(';\n')) await source.execute(statement);
    const target = Object.assign(new URL(source.url), { username: 'animal_store', pathname: '/animal_store' });
    const restore = documentedBlock('psql --dbname "$TARGET_URL"').replace('--file ', '--file /backup/');
    await runAsPostgres(restore, { TARGET_URL: target.toString() });
    printFigures('The nightly dump of 200,000 pets is restored into a new database', {
      seconds: ((performance.now() - restoreBegan) / 1000).toFixed(1),
    });
    expect(await valueOf(target.toString(), 'select count(*) from pets')).toBe('200000');
    await source.execute('drop database animal_store');
  });

  test('as a base backup with archived WAL is restored to a moment, as printed', async () => {
    const service = new BuiltProgram('main', { DATABASE_URL: source.url, BOOTSTRAP_API_KEY: TEST_API_KEY });
    const load = new KeyedAdditions(await service.listening(), TEST_API_KEY, CLIENTS);
    await delay(1_000);
    const backupBegan = performance.now();
    await runAsPostgres(documentedBlock('pg_basebackup'), { REPLICATION_URL: source.url });
    const backupSeconds = (performance.now() - backupBegan) / 1000;
    await delay(1_000);
    const before = [...load.acknowledged];
    const moment = await valueOf(source.url, 'select clock_timestamp()::text');
    await delay(1_000);
    await load.stop();
    const wal = await valueOf(
      source.url,
      'select pg_walfile_name(pg_current_wal_lsn()) from (select pg_switch_wal()) t',
    );
    await source.execute('select pg_switch_wal()');
    while ((await valueOf(source.url, 'select last_archived_wal from pg_stat_archiver')) < wal) await delay(50);
    await service.kill('SIGKILL');
    await source.stop('SIGQUIT');
    rmSync(data, { recursive: true });

    const port = await freePort();
    const day = new Date().toISOString().slice(0, 10);
    const script = documentedBlock('recovery.signal')
      .replace('2027-01-31 14:05:00+00', moment)
      .replace('2027-01-31', day)
      .replace('pg_ctl', 'pg_ctl --log "$PGDATA.log"');
    const restored = new ReplicatedServer(BIN!, join(folder, 'backup/restored'), port);
    const restoreBegan = performance.now();
    const place = { PGPORT: String(port), PGHOST: '127.0.0.1', PGUSER: 'postgres' };
    await runAsPostgres(script, { ...place, PGDATA: restored.data });
    while ((await valueOf(restored.url, 'select pg_is_in_recovery()::text')) !== 'false') await delay(50);
    const second = new BuiltProgram('main', { DATABASE_URL: restored.url, BOOTSTRAP_API_KEY: TEST_API_KEY });
    try {
      const url = await second.listening();
      const replays = await Promise.all(
        before.slice(-50).map(({ idempotencyKey, sent }) => addKeyed(url, TEST_API_KEY, idempotencyKey, sent)),
      );
      const restoreSeconds = (performance.now() - restoreBegan) / 1000;
      const ids = new Set((await valueOf(restored.url, `select string_agg(id::text, ',') from pets`)).split(','));
      const lost = before.filter(({ id }) => !ids.has(String(id)));
      printFigures('A base backup with archived WAL, taken under load, is restored to a moment', {
        'additions acknowledged before the moment': before.length,
        'of these lost': lost.length,
        'additions after it': load.acknowledged.length - before.length,
        'seconds of the backup': backupSeconds.toFixed(1),
        'seconds from the lost machine to the first responses': restoreSeconds.toFixed(1),
      });
      expect(lost).toEqual([]);
      expect(load.acknowledged.length).toBeGreaterThan(before.length);
      expect(replays.map((response) => response.headers.get('idempotent-replayed'))).toEqual(replays.map(() => 'true'));
    } finally {
      await second.kill('SIGKILL');
      await runAsPostgres('pg_ctl --mode immediate stop', { PGDATA: restored.data });
    }
  });
});

async function valueOf(url: string, statement: string): Promise<string> {
  const { rows } = await withClient(url, (client) => client.query<string[]>({ text: statement, rowMode: 'array' }));
  return rows[0]![0]!;
}
