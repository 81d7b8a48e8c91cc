import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { embeddedRows, serverRows } from '../support/database-rows.js';
import { createEmbeddedDatabase } from '../support/databases.js';
import { documentedBlock, runScript } from './documented-commands.js';
import { printFigures } from '../support/print-figures.js';
import { addKeyed, KeyedAdditions } from '../support/keyed-additions.js';
import { postgresPrograms } from './postgres-programs.js';
import { startLocalServer, type PostgresServer } from '../support/postgres-server.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const BIN = postgresPrograms();
const describeWithPrograms = BIN === undefined ? describe.skip : describe;

const CLIENTS = 8;

describeWithPrograms('the embedded database of a service that was killed under load', () => {
  let source: ReturnType<typeof createEmbeddedDatabase>;
  let server: PostgresServer;
  let folder: string;

  beforeEach(async () => {
    source = createEmbeddedDatabase();
    server = await startLocalServer();
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  });

  afterEach(async () => {
    await source.remove();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function db(environment: Record<string, string>, ...words: string[]): Promise<void> {
    const program = new BuiltProgram('cli/db', environment, words);
    const code = await program.ended();
    if (code !== 0) throw new Error(`db ${words.join(' ')} ended with ${code}: ${program.printed}`);
  }

  test('is dumped, and restored into a server by psql and into another embedded database', async () => {
    // The first start creates the tables.
    const first = new BuiltProgram('main', source.environment);
    await first.listening();
    await first.kill('SIGTERM');
    const key = { BOOTSTRAP_API_KEY: TEST_API_KEY };
    const service = new BuiltProgram('main', { ...source.environment, ...key });
    const load = new KeyedAdditions(await service.listening(), TEST_API_KEY, CLIENTS);
    while (load.acknowledged.length < 300) await delay(20);
    await service.kill('SIGKILL');
    await load.stop();
    const before = load.acknowledged;

    const file = join(folder, 'animal-store.sql');
    await db({ ...source.environment }, 'dump', '--output', file);
    const rows = await embeddedRows(source.folder);

    await withClient(server.url, async (client) => {
      for (const statement of documentedBlock('create role animal_store').split(';\n')) await client.query(statement);
    });
    const target = new URL(server.url);
    Object.assign(target, { username: 'animal_store', pathname: '/animal_store' });
    const programs = { PATH: `${BIN}:${process.env['PATH']}`, TARGET_URL: target.toString() };
    await runScript(documentedBlock('psql --dbname "$TARGET_URL"'), folder, programs);
    const desk = { DATA_DIR: join(folder, 'desk') };
    await db(desk, 'restore', file);

    expect(await serverRows(target.toString())).toEqual(rows);
    expect(await embeddedRows(desk.DATA_DIR)).toEqual(rows);
    for (const environment of [{ DATABASE_URL: target.toString() }, desk]) {
      const restored = new BuiltProgram('main', { ...environment, ...key });
      const url = await restored.listening();
      for (const { idempotencyKey, sent, body } of before) {
        const repeated = await addKeyed(url, TEST_API_KEY, idempotencyKey, sent);
        expect([repeated.headers.get('idempotent-replayed'), await repeated.text()]).toEqual(['true', body]);
      }
      await restored.kill('SIGTERM');
    }
    printFigures('The embedded database moves into a server, and into another embedded one, by a dump', {
      'additions acknowledged': before.length,
      'of these lost': 0,
      'creations repeated and replayed, twice': before.length,
    });
  }, 180_000);
});
