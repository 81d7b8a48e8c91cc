export { PetMapping } from './pet.mapping.js';
export { PetsPersistenceModule } from './pets-persistence.module.js';
