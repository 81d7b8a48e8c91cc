import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { createServerDatabase } from '../support/databases.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';

const REX = { name: 'Rex', categoryId: 7 };

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
    // The result of readiness may be up to 1.5 s old.
    await delay(1_500);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await client.createPet(REX)).status).toBe(201);
    await server.kill('SIGTERM');
    await database.remove();
  });
});
