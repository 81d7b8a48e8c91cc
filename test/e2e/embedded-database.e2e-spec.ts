import { MikroORM } from '@mikro-orm/postgresql';
import { UnitOfWork } from '@animal-store/kernel';
import { createEmbeddedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, type RunningApp } from '../support/running-app.js';

/** What holds of the service holds on PostgreSQL. The embedded database is for the first minutes: here is that it serves them. */
describe('the service on the embedded database', () => {
  const database = useDatabase(createEmbeddedDatabase);
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp(database);
  });

  afterAll(async () => {
    await app.close();
  });

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

  test.each(['a fork of the entity manager', 'a transaction of its own'])(
    'has one connection: %s inside a unit of work is refused, and does not wait for itself',
    async (what) => {
      const { em } = app.app.get(MikroORM, { strict: false });
      const work = () =>
        what === 'a fork of the entity manager'
          ? em.fork().execute('select 1')
          : em.fork().transactional(() => Promise.resolve());
      await expect(app.app.get(UnitOfWork, { strict: false }).run(() => work().then(() => undefined))).rejects.toThrow(
        'has one connection',
      );
    },
  );

  test('keeps its pets when it starts again', async () => {
    await app.close();
    app = await startApp(database);
    expect(await (await app.request('/v1/pets/1')).text()).toContain('"name":"Rex"');
  });
});
