import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { openService, useTwoServices } from '../support/service.js';
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
  const [writer, reader] = useTwoServices(createMigratedDatabase);

  test('shows a pet as soon as this one acknowledged it, however often the page was asked for before', async () => {
    const pets = writer.get(PetRepository);
    const texts = reader.get(PetReadModel);
    for (let count = 1; count <= 30; count++) {
      await pets.add(new NewPet('Rex', 7n));
      const { text } = await texts.findPage({ limit: 100 });
      expect((JSON.parse(text) as unknown[]).length).toBe(count);
    }
  });
});
