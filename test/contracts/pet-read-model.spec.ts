import { InMemoryPetReadModel, InMemoryPetRepository, type Pet } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.response.js';
import { describePetReadModel } from './pet-read-model.contract.js';

function serialize(shown: Pet | readonly Pet[]): string {
  return 'id' in shown ? serializePet(shown) : `[${shown.map(serializePet).join(',')}]`;
}

describePetReadModel('in memory', () => {
  const repository = new InMemoryPetRepository();
  return Promise.resolve({
    repository,
    readModel: new InMemoryPetReadModel(repository, serialize),
    close: () => Promise.resolve(),
  });
});
