import pg from 'pg';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, type RunningApp } from '../support/running-app.js';

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

  test('a request that waits for a lock is given up before the lock goes, in words that tell nothing of it', async () => {
    const answer = await app.request('/v1/pets');
    expect(await readError(answer)).toEqual({
      code: 'service_unavailable',
      message: 'The database is not available at the moment: try again later',
      status: 503,
    });
  });
});
