import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createServerDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';

const REX = { name: 'Rex', categoryId: 7 };

beforeAll(async () => {
  await buildOnce();
}, 120_000);

describe('the built server in production', () => {
  test('serves a PostgreSQL database once it is migrated, and no sooner', async () => {
    const database = await createServerDatabase();
    const variables = { NODE_ENV: 'production', BOOTSTRAP_API_KEY: TEST_API_KEY, ...database.environment };
    const server = new BuiltProgram('main', variables);
    const url = await server.listening();
    const client = clientOf(url);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await client.createPet(REX)).status).toBe(503);

    const migration = new BuiltProgram('cli/migrate', variables);
    expect(await migration.ended()).toBe(0);
    // The result of readiness may be up to one second old.
    await delay(1_000);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await client.createPet(REX)).status).toBe(201);
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
