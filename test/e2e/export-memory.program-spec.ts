import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { withClient } from '../support/database-client.js';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'a-key-for-tests-only';
const ROWS = 100_000;

/** Starts the service of the build with the appointments of the examples. */
const PROGRAM = `
  import { runServer } from '${pathToFileURL(join(ROOT, 'dist/apps/api/src/run-server.js')).href}';
  import { AppointmentsModule } from '${pathToFileURL(join(ROOT, 'dist/examples/appointments/src/index.js')).href}';
  await runServer({ features: [AppointmentsModule], migrations: [${JSON.stringify(join(ROOT, 'dist/examples/appointments/src/persistence/migrations'))}] });`;

let folder: string;
let database: ServerDatabase;
let server: BuiltProgram;
let url: string;

beforeAll(async () => {
  await buildOnce();
  database = await createMigratedDatabase([join(ROOT, 'examples/appointments/src/persistence/migrations')]);
  await withClient(database.url, async (client) => {
    await client.query(`insert into pets (name, category_id, status) values ('Rex', 7, 'available')`);
    await client.query(`
      insert into appointments (vet, pet_id, starts_at, ends_at, price)
      select repeat('vet ', 50) || n, 1, timestamptz '2030-01-01Z' + n * interval '1 h', timestamptz '2030-01-01Z' + (n + 1) * interval '1 h', 49.9
      from generate_series(1, ${ROWS}) n`);
  });
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  const program = join(folder, 'main.mjs') as `/${string}`;
  await writeFile(program, PROGRAM);
  const environment = { NODE_ENV: 'production', BOOTSTRAP_API_KEY: KEY, ...database.environment };
  server = new BuiltProgram(program, environment, [], ['--max-old-space-size=96']);
  url = await server.listening();
}, 180_000);

afterAll(async () => {
  await server.kill('SIGKILL');
  await database.remove();
  await rm(folder, { recursive: true });
});

test('an export of 100,000 rows needs no more memory than a small service has', async () => {
  const answer = await fetch(`${url}/v1/appointments/export`, { headers: { authorization: `Bearer ${KEY}` } });
  let rows = 0;
  for await (const chunk of answer.body!) rows += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
  expect(rows).toBe(ROWS);
}, 180_000);
