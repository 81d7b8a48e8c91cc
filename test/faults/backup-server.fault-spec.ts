import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { ArchivedServers } from './archived-server.js';
import { BackupWitness } from './backup-witness.js';
import { BuiltProgram } from '../support/built-server.js';
import { rowsByTable, rowsMissing, serverRows, type Ask } from '../support/database-rows.js';
import { documentedBlock, runScript } from './documented-commands.js';
import { addKeyed, KeyedAdditions } from '../support/keyed-additions.js';
import { postgresPrograms } from './postgres-programs.js';
import { printFigures } from '../support/figures.js';
import type { ReplicatedServer } from '../support/replication.js';
import { withClient } from '../support/sql.js';

const BIN = postgresPrograms();
const describeWithPrograms = BIN === undefined ? describe.skip : describe;

const CLIENTS = 16;
const SEED = 50_000;

/** Pets that exist before the backup, so that the backup takes some time. */
const SEEDS = `insert into pets (name, category_id, status)
  select 'seed ' || n, 9007199254740993 + n, (array['available', 'pending', 'sold'])[1 + n % 3] from generate_series(1, ${SEED}) n`;

/** The rows that were committed at or before a point in time. Only for tables whose rows do not change under this load. */
const COMMITTED = (columns: string, table: string, moment: string) =>
  `select (${columns})::text from ${table} t where pg_xact_commit_timestamp(t.xmin) <= '${moment}' order by 1`;

const LASTING = [
  ['to_jsonb(t)', 'pets'],
  ['to_jsonb(t)', 'idempotency_keys'],
  ['to_jsonb(t)', 'api_key_audit'],
  ['to_jsonb(t)', 'service_secrets'],
] as const;

async function columnOf(url: string, statement: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<string[]>({ text: statement, rowMode: 'array' }));
  return rows.map(([value]) => String(value));
}

/** All keys without the time of their last use, which the service writes once a minute. */
const KEYS = `select (to_jsonb(t) - 'last_used_at')::text from api_keys t where name <> 'late' order by id`;

describeWithPrograms('a backup of a server under load', () => {
  let servers: ArchivedServers;
  let source: ReplicatedServer;
  let service: BuiltProgram;
  let url: string;
  let witness: BackupWitness;

  const start = (database: string) => new BuiltProgram('main', { DATABASE_URL: database });

  beforeEach(async () => {
    servers = new ArchivedServers(BIN!);
    source = await servers.create('source', true);
    await migrateServer(source.url);
    await source.execute(SEEDS);
    service = start(source.url);
    url = await service.listening();
    witness = await BackupWitness.onServer({ DATABASE_URL: source.url });
    await witness.keepCursors(url);
  }, 120_000);

  afterEach(async () => {
    await service.kill('SIGKILL');
    await servers.remove();
  });

  /** Starts the built service on a database and returns the faults of the service there. */
  async function faultsOn(database: string, additions: Parameters<BackupWitness['faultsOf']>[1], highest: bigint) {
    const restored = start(database);
    try {
      const before = await columnOf(database, 'select count(*) from pets');
      const faults = await witness.faultsOf(await restored.listening(), additions, highest);
      const after = await columnOf(database, 'select count(*) from pets');
      // There is one new pet. The repeated requests added no pet.
      if (Number(after[0]) !== Number(before[0]) + 1) faults.push(`${before[0]} pets became ${after[0]}`);
      return faults;
    } finally {
      await restored.kill('SIGKILL');
    }
  }

  test('by pg_basebackup and archived WAL is restored to a point in time, and to the end', async () => {
    const load = new KeyedAdditions(url, witness.keys.shop, CLIENTS);
    await delay(1_000);
    const backups = servers.makeFolder('backups');
    const base = servers.pathIn(backups, 'base');
    const began = performance.now();
    await servers.program('pg_basebackup', '--dbname', source.url, '--pgdata', base, '--checkpoint', 'fast');
    const backupSeconds = (performance.now() - began) / 1000;
    await servers.program('pg_verifybackup', base);
    const duringBackup = load.acknowledged.length;
    await delay(1_000);

    const beforeId = /"id":([0-9]+)/.exec(
      await (await addKeyed(url, witness.keys.shop, 'before', '{"name":"before the point","categoryId":1}')).text(),
    )?.[1];
    const [point = ''] = await columnOf(source.url, 'select clock_timestamp()::text');
    const pointAt = Date.parse(point);
    await delay(20);
    const late = new BuiltProgram('cli/keys', { DATABASE_URL: source.url }, ['create', '--name', 'late', '--json']);
    await late.ended();
    const lateKey = (JSON.parse(late.answered) as { key: string }).key;
    const afterAnswer = await addKeyed(url, witness.keys.shop, 'after', '{"name":"after the point","categoryId":1}');
    expect(afterAnswer.status).toBe(201);
    await delay(1_000);
    await load.stop();
    expect(load.failures).toEqual([]);

    const expected = await Promise.all(
      LASTING.map(([columns, table]) => columnOf(source.url, COMMITTED(columns, table, point))),
    );
    const expectedKeys = await columnOf(source.url, KEYS);
    const last = await serverRows(source.url);
    await servers.untilArchived(source);
    await service.kill('SIGKILL');
    await source.stop('SIGQUIT');

    // Restores to the chosen point in time.
    const atPoint = servers.pathIn(backups, 'at-point');
    await servers.copy(base, atPoint);
    const restoreBegan = performance.now();
    const restored = await servers.restore(atPoint, [
      `recovery_target_time = '${point}'`,
      `recovery_target_action = 'promote'`,
    ]);
    const restoreSeconds = (performance.now() - restoreBegan) / 1000;
    const found = await Promise.all(
      LASTING.map(([columns, table]) => columnOf(restored.url, `select (${columns})::text from ${table} t order by 1`)),
    );
    LASTING.forEach(([, table], index) => {
      const [there, wanted] = [found[index]!, expected[index]!];
      expect({
        table,
        lost: rowsMissing(wanted, there),
        foreign: rowsMissing(there, wanted),
        count: there.length,
      }).toEqual({
        table,
        lost: [],
        foreign: [],
        count: wanted.length,
      });
    });
    expect(await columnOf(restored.url, KEYS)).toEqual(expectedKeys);
    const names = await columnOf(restored.url, `select name from pets where name like '% the point'`);
    expect(names).toEqual(['before the point']);
    const inPoint = load.acknowledged.filter(({ answeredAt }) => answeredAt < pointAt);
    const behindPoint = load.acknowledged.filter(({ sentAt }) => sentAt > pointAt);
    expect(behindPoint.length).toBeGreaterThan(0);
    const ids = new Set(await columnOf(restored.url, 'select id from pets'));
    expect(inPoint.filter(({ id }) => !ids.has(String(id)))).toEqual([]);
    expect(ids.has(String(beforeId))).toBe(true);
    const highest = BigInt(Math.max(...[...ids].map(Number)));
    expect(await faultsOn(restored.url, inPoint, highest)).toEqual([]);
    const afterPoint = start(restored.url);
    const { status } = await fetch(`${await afterPoint.listening()}/v1/pets`, {
      headers: { authorization: `Bearer ${lateKey}` },
    });
    await afterPoint.kill('SIGKILL');
    expect(status).toBe(401);
    await restored.stop();

    // Restores to the end of the log: no acknowledged change is lost.
    const atEnd = servers.pathIn(backups, 'at-end');
    await servers.copy(base, atEnd);
    const whole = await servers.restore(atEnd, []);
    const all = await serverRows(whole.url);
    for (const table of Object.keys(last)) {
      expect({ table, rows: all[table]?.length, lost: rowsMissing(last[table]!, all[table]!) }).toEqual({
        table,
        rows: last[table]!.length,
        lost: [],
      });
    }
    const greatest = load.acknowledged.reduce((most, { id }) => (id > most ? id : most), 0n);
    expect(await faultsOn(whole.url, load.acknowledged, greatest)).toEqual([]);

    printFigures('A base backup with archived WAL, taken under load, is restored to a point in time and to the end', {
      'pets before the load': SEED,
      'additions acknowledged': load.acknowledged.length,
      'of these until the backup was taken': duringBackup,
      'restored to the point, and compared': found[0]!.length,
      'of the additions before the point lost': 0,
      'pets of after the point found': 0,
      'acknowledged additions lost in a restore to the end': 0,
      'creations repeated and replayed': inPoint.length + load.acknowledged.length,
      'seconds of the base backup': backupSeconds.toFixed(1),
      'seconds of the restore': restoreSeconds.toFixed(1),
    });
  }, 300_000);

  test('by pg_dump is restored into a new server as the role of the service, every row as it was', async () => {
    const load = new KeyedAdditions(url, witness.keys.shop, CLIENTS);
    await delay(1_000);
    const before = [...load.acknowledged];
    const backups = servers.makeFolder('backups');
    const database = { DATABASE_URL: source.url, PATH: `${BIN}:${process.env['PATH']}` };
    // The dump and this connection use the same snapshot.
    const [dumped, seconds] = await withClient(source.url, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
      const began = performance.now();
      const commands = documentedBlock('pg_dump --dbname').replace('pg_dump', `pg_dump --snapshot ${rows[0]!.id}`);
      await runScript(commands, backups, database);
      const ask: Ask = async (text) => (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows;
      return [await rowsByTable(ask), (performance.now() - began) / 1000] as const;
    });
    await load.stop();
    expect(load.failures).toEqual([]);
    await service.kill('SIGKILL');

    const target = await servers.create('target', false);
    for (const statement of documentedBlock('create role animal_store').split(';\n')) await target.execute(statement);
    const restored = Object.assign(new URL(target.url), { username: 'animal_store', pathname: '/animal_store' });
    const restoring = { ...database, TARGET_URL: restored.toString() };
    await runScript(documentedBlock('psql --dbname "$TARGET_URL"'), backups, restoring);
    const rows = await serverRows(restored.toString());
    expect(Object.keys(rows)).toEqual(Object.keys(dumped));
    for (const [table, wanted] of Object.entries(dumped)) {
      const there = rows[table]!;
      expect({ table, lost: rowsMissing(wanted, there), foreign: rowsMissing(there, wanted) }).toEqual({
        table,
        lost: [],
        foreign: [],
      });
    }
    const names = new Set(rows['public.pets']!.map((row) => (JSON.parse(row) as { name: string }).name));
    expect(before.filter(({ sent }) => !names.has((JSON.parse(sent) as { name: string }).name))).toEqual([]);
    const highest = BigInt(Math.max(...rows['public.pets']!.map((row) => (JSON.parse(row) as { id: number }).id)));
    expect(await faultsOn(restored.toString(), before, highest)).toEqual([]);

    printFigures('A dump taken under load is restored into a new server, every row as it was', {
      'pets before the load': SEED,
      'pets in the dump, and compared': rows['public.pets']!.length,
      'additions acknowledged before it': before.length,
      'of these lost': 0,
      'creations repeated and replayed': before.length,
      'seconds of the dump': seconds.toFixed(1),
    });
  }, 300_000);
});
