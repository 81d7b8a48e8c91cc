import { InMemoryPetReadModel, InMemoryPetRepository } from '@animal-store/pets-domain';
import { describePetReadModel } from './pet-read-model.contract.js';

describePetReadModel('in memory', () => {
  const repository = new InMemoryPetRepository();
  return Promise.resolve({
    repository,
    readModel: new InMemoryPetReadModel(repository),
    close: () => Promise.resolve(),
  });
});
