import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { UnitOfWork } from '@animal-store/kernel';
import { SqlExecutor } from '../../libs/persistence/src/sql/sql-executor.js';
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

  test.each<[string, (em: SqlEntityManager, statements: SqlExecutor) => Promise<unknown>]>([
    ['a statement', (_em, statements) => statements.run({ name: '', text: 'select 1' }, [])],
    ['a fork of the entity manager', (em) => em.fork().execute('select 1')],
    ['a transaction of its own', (em) => em.fork().transactional(() => Promise.resolve())],
    ['a new transaction', (em) => em.transactional(() => Promise.resolve(), { propagation: 'requires_new' as never })],
  ])('has one connection: %s that does not take part is refused, and does not wait for itself', async (_what, work) => {
    const em = app.app.get<SqlEntityManager>(EntityManager, { strict: false });
    const statements = app.app.get(SqlExecutor, { strict: false });
    const units = app.app.get(UnitOfWork, { strict: false });
    await expect(units.run(() => work(em, statements))).rejects.toThrow('has one connection');
  });

  test('keeps its pets when it starts again', async () => {
    await app.close();
    app = await startApp(database);
    expect(await (await app.request('/v1/pets/1')).text()).toContain('"name":"Rex"');
  });
});
