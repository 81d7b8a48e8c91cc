import { DATABASES, type TestDatabase } from '../support/databases.js';
import { startApp, type RunningApp } from '../support/running-app.js';

describe.each(DATABASES)('createPet on $name', ({ create }) => {
  let database: TestDatabase;
  let app: RunningApp;

  beforeAll(async () => {
    database = await create();
    app = await startApp(database);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  test('answers 201 with the stored animal and its address', async () => {
    const answer = await app.createPet({ name: 'Rex', categoryId: 7 });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/pets/1');
    expect(await answer.text()).toBe('{"id":1,"name":"Rex","categoryId":7,"status":"available"}');
  });
});
