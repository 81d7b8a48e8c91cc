export { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.js';
export { DEFAULT_PET_STATUS, isPetStatus, PET_STATUSES, type PetStatus } from './pet-status.js';
export { NewPet, Pet, PET_NAME_MAX_CODE_POINTS, petRules } from './pet.js';
export { InvalidPetError, PetNotFoundError } from './pet.errors.js';
export { PetRepository, type PetPageQuery } from './pet.repository.js';
export { PetReadModel, RenderedPage, RenderedPet, renderPet, type Reader } from './pet.read-model.js';
export { PetsService } from './pets.service.js';
export { InMemoryPetReadModel } from './in-memory-pet.read-model.js';
export { InMemoryPetRepository } from './in-memory-pet.repository.js';
