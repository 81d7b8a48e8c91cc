import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BackupWitness } from '../support/backup-witness.js';
import { BuiltProgram } from '../support/built-server.js';
import { createEmbeddedDatabase, createMigratedDatabase, createServerDatabase } from '../support/databases.js';
import { embeddedRows, rowsMissing, serverRows } from '../support/database-rows.js';
import { KeyedAdditions, type KeyedAddition } from '../support/keyed-additions.js';
import { recordProof } from '../support/proofs.js';
import { transfer } from '../support/transfer-command.js';

const CLIENTS = 8;

type Rows = Record<string, string[]>;

/** What was acknowledged before the copy began and is missing in the copy, and what exists only in the copy. */
function differences(copy: Rows, source: Rows, before: readonly KeyedAddition[]) {
  const pets = copy['public.pets']!.map((row) => JSON.parse(row) as { id: number; name: string });
  const names = new Map(pets.map(({ id, name }) => [String(id), name]));
  const kept = copy['public.idempotency_keys']!.map((row) => JSON.parse(row) as { key: string; result_id: number });
  const keys = new Set(kept.map(({ key }) => key));
  const results = new Set(kept.map(({ result_id }) => result_id));
  return {
    lost: before.filter(({ id, sent }) => names.get(String(id)) !== (JSON.parse(sent) as { name: string }).name),
    keysLost: before.filter(({ idempotencyKey }) => !keys.has(idempotencyKey)),
    // One commit writes both rows, so neither exists without the other.
    keysWithoutPet: kept.filter(({ result_id }) => !names.has(String(result_id))),
    petsWithoutKey: pets.filter(({ id, name }) => name.startsWith('pet ') && !results.has(id)),
    foreign: Object.keys(copy)
      .filter((table) => table !== 'public.api_keys')
      .flatMap((table) => rowsMissing(copy[table]!, source[table]!)),
    keys: copy['public.api_keys']!.map((row) => ({ ...(JSON.parse(row) as object), last_used_at: null })),
  };
}

function nothingMissing(source: Rows) {
  const keys = source['public.api_keys']!.map((row) => ({ ...(JSON.parse(row) as object), last_used_at: null }));
  return { lost: [], keysLost: [], keysWithoutPet: [], petsWithoutKey: [], foreign: [], keys };
}

function greatestId(rows: Rows): bigint {
  return rows['public.pets']!.reduce((most, row) => {
    const id = BigInt((JSON.parse(row) as { id: number }).id);
    return id > most ? id : most;
  }, 0n);
}

describe('the embedded database of a server under load', () => {
  let source: ReturnType<typeof createEmbeddedDatabase>;
  let folder: string;
  let service: BuiltProgram;
  let url: string;
  let witness: BackupWitness;

  beforeEach(async () => {
    source = createEmbeddedDatabase();
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    // The first start creates the tables.
    const first = new BuiltProgram('main', source.environment);
    await first.listening();
    await first.kill('SIGTERM');
    witness = await BackupWitness.onServer({ ...source.environment });
    service = new BuiltProgram('main', source.environment);
    url = await service.listening();
  }, 60_000);

  afterEach(async () => {
    await service.kill('SIGKILL');
    await source.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a load and waits until it has run for a while and cursors have been issued. */
  async function startLoad(): Promise<KeyedAdditions> {
    const load = new KeyedAdditions(url, witness.keys.shop, CLIENTS);
    while (load.acknowledged.length < 300) await delay(20);
    await addOthers();
    await witness.keepCursors(url);
    return load;
  }

  /** Adds pets for the cursors of a filter. */
  async function addOthers(): Promise<void> {
    for (let count = 0; count < 3; count += 1) {
      await fetch(`${url}/v1/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${witness.keys.shop}`, 'content-type': 'application/json' },
        body: '{"name":"other","categoryId":1,"status":"available"}',
      });
    }
  }

  /** The rows of the source after the end of the load and of the service. */
  async function endedRows(load: KeyedAdditions): Promise<Rows> {
    await delay(500);
    await load.stop();
    expect(load.failures).toEqual([]);
    await service.kill('SIGTERM');
    expect(existsSync(join(source.folder, 'snapshots'))).toBe(false);
    return await embeddedRows(source.folder);
  }

  async function faultsOn(environment: Record<string, string>, before: readonly KeyedAddition[], highest: bigint) {
    const restored = new BuiltProgram('main', environment);
    try {
      return await witness.faultsOf(await restored.listening(), before, highest);
    } finally {
      await restored.kill('SIGTERM');
    }
  }

  test('is copied by db:copy into a folder that serves, and nothing acknowledged before is missing', async () => {
    const load = await startLoad();
    const before = [...load.acknowledged];
    const copy = join(folder, 'copy');
    const { pausedMs, rows: copied, seconds } = await transfer('copy', { ...source.environment }, copy);
    const during = load.acknowledged.length - before.length;
    const rows = await endedRows(load);
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    const there = await embeddedRows(copy);
    expect(differences(there, rows, before)).toEqual(nothingMissing(rows));
    expect(await faultsOn({ DATA_DIR: copy }, before, greatestId(there))).toEqual([]);
    expect(readdirSync(folder)).toEqual(['copy']);
    recordProof('backup-embedded-copy', {
      promise: 'The embedded database is copied while the service runs on it, and the copy serves',
      trial: `${CLIENTS} clients add with idempotency keys while npm run db:copy runs; the service starts on the copy, every row is compared`,
      command: 'npm run test:faults -- backup-embedded',
      figures: {
        'additions acknowledged before the copy': before.length,
        'of these lost': 0,
        'additions acknowledged while it was made': during,
        'rows copied': copied,
        'failed requests': load.failures.length,
        'milliseconds that statements waited': pausedMs,
        'seconds of the command': seconds,
      },
    });
  }, 120_000);

  test('is exported, imported into a server, and from there into another embedded database', async () => {
    const load = await startLoad();
    const before = [...load.acknowledged];
    const file = join(folder, 'pets.jsonl.gz');
    const { rows: exported, pausedMs } = await transfer('export', { ...source.environment }, '--output', file);
    const rows = await endedRows(load);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['pets.jsonl.gz']);

    const server = await createServerDatabase();
    await transfer('import', { ...server.environment }, file);
    const onServer = await serverRows(server.url);
    expect(differences(onServer, rows, before)).toEqual(nothingMissing(rows));
    expect(await faultsOn({ ...server.environment }, before, greatestId(onServer))).toEqual([]);

    // The way back: the data of the server is copied to an embedded database on a workstation.
    const back = join(folder, 'back.jsonl.gz');
    await transfer('export', { ...server.environment }, '--output', back);
    const desk = { DATA_DIR: join(folder, 'desk') };
    await transfer('import', desk, back);
    const current = await serverRows(server.url);
    expect(await embeddedRows(desk.DATA_DIR)).toEqual(current);
    expect(await faultsOn(desk, before, greatestId(current))).toEqual([]);
    await server.remove();
    recordProof('backup-embedded-export', {
      promise: 'The embedded database moves into a server, and back, while the service runs on it',
      trial: `${CLIENTS} clients add with idempotency keys while npm run db:export runs; db:import fills a server, and from an export of that another embedded database; every row is compared`,
      command: 'npm run test:faults -- backup-embedded',
      figures: {
        'additions acknowledged before the export': before.length,
        'of these lost': 0,
        'rows exported': exported,
        'failed requests': load.failures.length,
        'milliseconds that statements waited': pausedMs,
      },
    });
  }, 180_000);

  test('leaves nothing behind when a command that copies it is killed', async () => {
    const load = await startLoad();
    const command = new BuiltProgram('cli/db-copy', { ...source.environment }, [join(folder, 'copy')]);
    while (readdirSync(join(source.folder, 'snapshots')).length < 2) await delay(5);
    await command.kill('SIGKILL');
    while (readdirSync(join(source.folder, 'snapshots')).length > 1) await delay(20);
    expect(readdirSync(join(source.folder, 'snapshots'))).toEqual(['socket']);
    const { printed } = await transfer('copy', { ...source.environment }, join(folder, 'second'));
    expect(printed).toContain('Copied');
    await load.stop();
    expect(load.failures).toEqual([]);
  }, 120_000);

  test('is served on where its server was killed while it was copied', async () => {
    const load = await startLoad();
    const command = new BuiltProgram('cli/db-copy', { ...source.environment }, [join(folder, 'copy')]);
    while (readdirSync(join(source.folder, 'snapshots')).length < 2) await delay(5);
    await service.kill('SIGKILL');
    await load.stop();
    await command.ended();
    const again = new BuiltProgram('main', source.environment);
    await again.listening();
    expect(readdirSync(join(source.folder, 'snapshots'))).toEqual(['socket']);
    await again.kill('SIGTERM');
    const rows = await embeddedRows(source.folder);
    expect(differences(rows, rows, load.acknowledged)).toEqual(nothingMissing(rows));
  }, 120_000);
});

describe('an export of a server under load', () => {
  test('is imported into an embedded database that serves, and nothing acknowledged before is missing', async () => {
    const source = await createMigratedDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    const service = new BuiltProgram('main', { ...source.environment });
    const url = await service.listening();
    const witness = await BackupWitness.onServer({ ...source.environment });
    const load = new KeyedAdditions(url, witness.keys.shop, CLIENTS);
    while (load.acknowledged.length < 300) await delay(20);
    const before = [...load.acknowledged];
    const file = join(folder, 'pets.jsonl.gz');
    await transfer('export', { ...source.environment }, '--output', file);
    await delay(500);
    await load.stop();
    await service.kill('SIGTERM');
    const rows = await serverRows(source.url);

    const desk = { DATA_DIR: join(folder, 'desk') };
    await transfer('import', desk, file);
    const there = await embeddedRows(desk.DATA_DIR);
    expect(load.failures).toEqual([]);
    expect(differences(there, rows, before)).toEqual(nothingMissing(rows));
    const restored = new BuiltProgram('main', desk);
    expect(await witness.faultsOf(await restored.listening(), before, greatestId(there))).toEqual([]);
    await restored.kill('SIGTERM');
    expect(readFileSync(file).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    await source.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);
});
