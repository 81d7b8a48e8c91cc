import { ServiceSecrets } from '@animal-store/persistence/secrets';
import { createEmbeddedDatabase, createMigratedDatabase } from '../support/databases.js';
import { openService, useTwoServices } from '../support/service.js';

describe('the secrets of the service', () => {
  const instances = useTwoServices(createMigratedDatabase);
  let secrets: [ServiceSecrets, ServiceSecrets];

  beforeAll(() => {
    secrets = instances.map((instance) => instance.get(ServiceSecrets)) as typeof secrets;
  });

  test('have 32 bytes', async () => {
    expect(await secrets[0].get('size')).toHaveLength(32);
  });

  test('are the same for the same name, also on instances that ask for a new one at once', async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([...secrets, ...secrets].map((some) => some.get(`name ${round}`)));
      expect(new Set(answers.map((secret) => secret.toString('hex'))).size).toBe(1);
    }
  });

  test('are the same when they are asked for again', async () => {
    const first = await secrets[0].get('again');
    expect(await secrets[1].get('again')).toEqual(first);
  });

  test('are different for different names', async () => {
    const answers = await Promise.all(['a', 'b', 'A', 'a '].map((name) => secrets[0].get(name)));
    expect(new Set(answers.map((secret) => secret.toString('hex'))).size).toBe(4);
  });

  test('outlive the process on the embedded database', async () => {
    const embedded = createEmbeddedDatabase();
    const answers: Buffer[] = [];
    for (let start = 0; start < 2; start++) {
      const service = await openService(embedded);
      answers.push(await service.get(ServiceSecrets).get('kept'));
      await service.close();
    }
    await embedded.remove();
    expect(answers[1]).toEqual(answers[0]);
  });
});

describe('the secrets of another database', () => {
  test('are others', async () => {
    const answers: string[] = [];
    for (let count = 0; count < 2; count++) {
      const database = await createMigratedDatabase();
      const service = await openService(database);
      answers.push((await service.get(ServiceSecrets).get('page-cursors')).toString('hex'));
      await service.close();
      await database.remove();
    }
    expect(answers[1]).not.toBe(answers[0]);
  });
});
