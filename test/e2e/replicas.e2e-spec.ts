import { ReplicaWatch } from '@animal-store/persistence';
import { createMigratedDatabase } from '../support/databases.js';
import { startApp } from '../support/running-app.js';

/** The tests with real standbys are in test/faults/replicas.fault-spec.ts. */
test('replicas that are away, or are none, are not missed', async () => {
  const database = await createMigratedDatabase();
  const app = await startApp(database, {
    DATABASE_REPLICA_URLS: `postgresql://postgres@127.0.0.1:1/none,${database.url}`,
  });
  const created = await app.createPet({ name: 'Rex', categoryId: 1 });
  await app.app.get(ReplicaWatch, { strict: false }).poll();
  expect(app.app.get(ReplicaWatch, { strict: false }).inUse).toEqual([]);
  expect((await app.request(created.headers.get('location') ?? '')).status).toBe(200);
  await app.close();
  await database.remove();
});
