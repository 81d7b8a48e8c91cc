import type { INestApplicationContext } from '@nestjs/common';
import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { createMigratedDatabase, DATABASES, type TestDatabase } from '../support/databases.js';
import { openService } from '../support/service.js';
import { describePetReadModel } from './pet-read-model.contract.js';

for (const { name, create } of DATABASES) {
  describePetReadModel(`in ${name}`, async () => {
    const database = await create();
    const service = await openService(database);
    return {
      repository: service.get(PetRepository),
      readModel: service.get(PetReadModel),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  });
}

describe('the catalogue as text on another instance', () => {
  let database: TestDatabase;
  let instances: INestApplicationContext[];
  let pets: PetRepository;
  let texts: PetReadModel;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    const writer = await openService(database);
    const reader = await openService(database);
    instances = [writer, reader];
    pets = writer.get(PetRepository);
    texts = reader.get(PetReadModel);
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await database.remove();
  });

  test('shows an animal as soon as this one acknowledged it, however often the page was asked for before', async () => {
    for (let count = 1; count <= 30; count++) {
      await pets.add(new NewPet('Rex', 7n));
      const { json } = await texts.findPage({ limit: 100 });
      expect((JSON.parse(json) as unknown[]).length).toBe(count);
    }
  });
});
