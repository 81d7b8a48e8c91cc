import { createEmbeddedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, type RunningApp } from '../support/running-app.js';

/** What holds of the service holds on PostgreSQL. The embedded database is for trying the service out: here is that it works. */
describe('the service on the embedded database', () => {
  const database = useDatabase(createEmbeddedDatabase);
  let app: RunningApp;

  async function start(): Promise<void> {
    app = await startApp(database);
  }

  beforeAll(start, 60_000);

  test('migrates it, is ready, and serves the three operations', async () => {
    expect((await app.request('/health/ready', { key: null })).status).toBe(200);
    const created = await app.createPet({ name: 'Rex', categoryId: 7 });
    const text = await created.text();
    expect([created.status, text]).toEqual([201, '{"id":1,"name":"Rex","categoryId":7,"status":"available"}']);
    expect(await (await app.request('/v1/pets/1')).text()).toBe(text);
    expect(await (await app.request('/v1/pets?status=available&limit=1')).text()).toBe(`[${text}]`);
    expect((await readError(await app.request('/v1/pets/2'))).status).toBe(404);
  });

  test('keeps exact integers, and replays a creation with an Idempotency-Key', async () => {
    const once = () =>
      app.request('/v1/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: '{"name":"Tom","categoryId":9223372036854775807}',
      });
    const [first, again] = [await once(), await once()];
    expect(await first.text()).toContain('"categoryId":9223372036854775807');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });

  test('keeps its pets when it starts again', async () => {
    await app.close();
    await start();
    expect(await (await app.request('/v1/pets/1')).text()).toContain('"name":"Rex"');
  });
});
