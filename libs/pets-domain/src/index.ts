export {
  contentOf,
  DEFAULT_PET_STATUS,
  isPetStatus,
  NewPet,
  Pet,
  PET_NAME_MAX_CODE_POINTS,
  PET_STATUSES,
  petRules,
  type PetStatus,
} from './pet.js';
export { InvalidPetError, PetNotFoundError } from './pet.errors.js';
export { PetRepository, type Addition, type PetPageQuery } from './pet.repository.js';
export { PetReadModel } from './pet.read-model.js';
export { PetsService } from './pets.service.js';
export { InMemoryPetReadModel } from './in-memory-pet.read-model.js';
export { InMemoryPetRepository } from './in-memory-pet.repository.js';
