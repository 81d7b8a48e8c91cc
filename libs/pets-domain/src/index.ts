export { NewPet, Pet, PET_NAME_MAX_CODE_POINTS, petRules } from './pet.js';
export { DEFAULT_PET_STATUS, PET_STATUSES, PET_TRANSITIONS, type PetStatus, type PetTransition } from './pet-status.js';
export { InvalidPetError, PetNotFoundError, PetTransitionError } from './pet.errors.js';
export { PetReadModel, PetRepository, type PetPageQuery } from './pet.repository.js';
export { PetsService } from './pets.service.js';
