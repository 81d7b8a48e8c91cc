import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, BuiltProgram } from '../support/built-server.js';
import { createEmbeddedDatabase, createServerDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { withClient } from '../support/sql.js';

const KEY_FORM = /asdev_[0-9a-z]{31}_[0-9a-z]{7}/;

function keyOf(server: BuiltProgram): string {
  return KEY_FORM.exec(server.printed)?.[0] ?? '';
}

async function addPet(url: string, key: string, name: string): Promise<number> {
  const { status } = await fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 7 }),
  });
  return status;
}

async function namesOfPets(url: string, key: string): Promise<string[]> {
  const answer = await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
}

beforeAll(async () => {
  await buildOnce();
}, 120_000);

describe('the built server on the embedded database', () => {
  let database: ReturnType<typeof createEmbeddedDatabase>;
  let server: BuiltProgram;

  beforeEach(() => {
    database = createEmbeddedDatabase();
    server = new BuiltProgram('main', database.environment);
  });

  afterEach(async () => {
    await server.kill('SIGKILL');
    await database.remove();
  });

  test('prints a curl line that works as it is', async () => {
    await server.listening();
    const line = /curl .*/.exec(server.printed)?.[0] ?? '';
    expect(execFileSync('sh', ['-c', `${line} --silent`], { encoding: 'utf8' })).toBe('[]');
  });

  test('takes that file from others who could read it', async () => {
    await server.listening();
    const file = join(database.folder, 'development-api-key');
    await server.kill('SIGKILL');
    chmodSync(file, 0o644);
    server = new BuiltProgram('main', database.environment);
    await server.listening();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps its pets and its key from one start to the next, even when it was killed', async () => {
    const url = await server.listening();
    const key = keyOf(server);
    expect(await addPet(url, key, 'Rex')).toBe(201);
    await server.kill('SIGKILL');

    server = new BuiltProgram('main', database.environment);
    expect(await namesOfPets(await server.listening(), key)).toEqual(['Rex']);
    expect(keyOf(server)).toBe(key);
  });
});

describe('the built server in production', () => {
  test('serves a PostgreSQL database once it is migrated, and no sooner', async () => {
    const database = await createServerDatabase();
    const variables = { NODE_ENV: 'production', BOOTSTRAP_API_KEY: 'sixteen-characters', ...database.environment };
    const server = new BuiltProgram('main', variables);
    const url = await server.listening();
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect(await addPet(url, 'sixteen-characters', 'Rex')).toBe(503);

    const migration = new BuiltProgram('cli/migrate', variables);
    expect(await migration.ended()).toBe(0);
    // The result of readiness may be up to one second old.
    await delay(1_000);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await addPet(url, 'sixteen-characters', 'Rex')).toBe(201);
    await server.kill('SIGTERM');
    await database.remove();
  });
});

describe('the built server with METRICS_PORT', () => {
  test('serves metrics, with its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const port = String(await freePort());
    const server = new BuiltProgram('main', { METRICS_PORT: port, DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    await server.listening();
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    await server.kill('SIGKILL');
    expect(metrics).toContain(`animal_store_build_info{version="${version}"`);
  });
});

describe('npm run start:prod', () => {
  test('opens no debugger to SIGUSR1, and serves on', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const nodeOptions = scripts['start:prod']?.split(' ').filter((word) => word.startsWith('--'));
    const server = new BuiltProgram('main', { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, [], nodeOptions);
    const url = await server.listening();
    server.signal('SIGUSR1');
    await delay(200);
    const { status } = await fetch(`${url}/health/live`);
    await server.kill('SIGKILL');
    expect(status).toBe(200);
    expect(server.printed).not.toMatch(/debugger|inspector/i);
  });
});

describe('npm run db:migrate', () => {
  test('ends with 1 when a migration fails, and says why', async () => {
    const database = await createServerDatabase();
    await withClient(database.url, (client) => client.query('create table pets (id text)'));
    const migration = new BuiltProgram('cli/migrate', database.environment);
    expect(await migration.ended()).toBe(1);
    await database.remove();
    expect(migration.printed).toMatch(/^The database was not migrated\. .*relation "pets" already exists\n$/s);
    expect(migration.printed).not.toMatch(/\n\s+at /);
  });
});
