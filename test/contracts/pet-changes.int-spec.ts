import { UnitOfWork } from '@animal-store/kernel';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { DATABASES } from '../support/databases.js';
import { openService } from '../support/service.js';
import { describePetChanges } from './pet-changes.contract.js';

for (const { name, create } of DATABASES) {
  describePetChanges(`in ${name}`, async () => {
    const database = await create();
    const service = await openService(database);
    return {
      repository: service.get(PetRepository),
      readModel: service.get(PetReadModel),
      units: service.get(UnitOfWork),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  });
}
