import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, type RunningApp } from '../support/running-app.js';
import { untilBlocked } from '../support/sql.js';

describe('while the database is slow', () => {
  let database: ServerDatabase;
  let app: RunningApp;
  let locker: pg.Client;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    app = await startApp(database);
    // This request loads the key and opens the connections before the database is blocked.
    await app.request('/v1/pets');
    locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('begin; lock table pets in access exclusive mode');
  });

  afterEach(async () => {
    await locker.end();
    await app.close();
    await database.remove();
  });

  test('the creation of a client that went away before its turn is dropped', async () => {
    const first = app.createPet({ name: 'Waits', categoryId: 7 });
    await untilBlocked(database.url);
    const body = '{"name":"Went away","categoryId":7}';
    const connection = await RawConnection.open(app.port);
    connection.send(
      requestBytes(
        'POST',
        '/v1/pets',
        [`Authorization: Bearer ${TEST_API_KEY}`, 'Content-Type: application/json', `Content-Length: ${body.length}`],
        body,
      ),
    );
    await delay(200);
    connection.close();
    await delay(200);
    await locker.query('rollback');
    expect((await first).status).toBe(201);
    expect((await app.createPet({ name: 'Comes later', categoryId: 7 })).status).toBe(201);
    const { rows } = await locker.query('select name from pets order by id');
    expect(rows).toEqual([{ name: 'Waits' }, { name: 'Comes later' }]);
  });

  test('keys are looked up and readiness is up as ever when the catalogue has taken every connection of the pool', async () => {
    const [stored, unknown] = [generateApiKey('test'), generateApiKey('test')];
    await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('shop', hashApiKey(stored)));
    const single = await startApp(database, { DATABASE_POOL_SIZE: '1' });
    // An instance gets no requests before it is ready for the first time.
    expect((await single.request('/health/ready', { key: null })).status).toBe(200);
    const order: string[] = [];
    const stuck = single.request('/v1/pets').finally(() => order.push('stuck'));
    await untilBlocked(database.url);
    const answers = await Promise.all([
      single.request('/v1/nope', { key: stored }),
      single.request('/v1/nope', { key: unknown }),
      single.request('/health/ready', { key: null }),
    ]);
    order.push('answered');
    await locker.query('rollback');
    const statuses = [...answers, await stuck].map(({ status }) => status);
    await single.close();
    expect(statuses).toEqual([404, 401, 200, 200]);
    expect(order).toEqual(['answered', 'stuck']);
  });

  test('a request that waits for a lock is given up before the lock goes, in words that tell nothing of it', async () => {
    const answer = await app.request('/v1/pets');
    expect(await readError(answer)).toEqual({
      code: 'service_unavailable',
      message: 'The database is not available at the moment: try again later',
      status: 503,
    });
  });
});
