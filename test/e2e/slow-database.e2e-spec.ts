import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, type RunningApp } from '../support/running-app.js';
import { untilBlocked } from '../support/database-client.js';

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

  test('a request that waits for a lock is given up before the lock goes, in words that tell nothing of it', async () => {
    const answer = await app.request('/v1/pets');
    expect(await readError(answer)).toEqual({
      code: 'service_unavailable',
      message: 'The database is not available at the moment: try again later',
      status: 503,
    });
  });
});
