import type { Pet } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.dto.js';
import { InMemoryApiKeys } from '../support/in-memory-api-keys.js';
import { InMemoryPetReadModel, InMemoryPetRepository } from '../support/in-memory-pets.js';
import { InMemoryUnitOfWork } from '../support/in-memory-unit-of-work.js';
import { describeAfterCommit } from './after-commit.contract.js';
import { describeApiKeys } from './api-keys.contract.js';
import { describePetChanges } from './pet-changes.contract.js';
import { describePetReadModel } from './pet-read-model.contract.js';
import { describePetRepository } from './pet-repository.contract.js';

function openCatalogue() {
  const units = new InMemoryUnitOfWork();
  const repository = new InMemoryPetRepository(units);
  const readModel = new InMemoryPetReadModel(repository, (shown: Pet | readonly Pet[]) =>
    'id' in shown ? serializePet(shown) : `[${shown.map(serializePet).join(',')}]`,
  );
  return Promise.resolve({ repository, readModel, units, close: () => Promise.resolve() });
}

describeApiKeys('in memory', () => Promise.resolve({ keys: new InMemoryApiKeys(), close: () => Promise.resolve() }));
describePetRepository('in memory', openCatalogue);
describePetReadModel('in memory', openCatalogue);
describePetChanges('in memory', openCatalogue);
describeAfterCommit('in memory', openCatalogue);
