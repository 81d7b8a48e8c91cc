import { InMemoryUnitOfWork } from '@animal-store/kernel';
import { InMemoryPetReadModel, InMemoryPetRepository, type Pet } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.response.js';
import { describePetChanges } from './pet-changes.contract.js';

describePetChanges('in memory', () => {
  const units = new InMemoryUnitOfWork();
  const repository = new InMemoryPetRepository(units);
  const readModel = new InMemoryPetReadModel(repository, (shown: Pet | readonly Pet[]) =>
    'id' in shown ? serializePet(shown) : `[${shown.map(serializePet).join(',')}]`,
  );
  return Promise.resolve({ repository, readModel, units, close: () => Promise.resolve() });
});
