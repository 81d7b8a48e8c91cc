import { InMemoryPetRepository } from '@animal-store/pets-domain';
import { describePetRepository } from './pet-repository.contract.js';

describePetRepository('in memory', () =>
  Promise.resolve({ repository: new InMemoryPetRepository(), close: () => Promise.resolve() }),
);
