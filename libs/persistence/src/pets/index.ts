export { PetsPersistenceModule } from './pets-persistence.module.js';
