export { PetsPersistenceModule } from './pets-persistence.module.js';
export { MikroOrmPetRepository } from './mikro-orm-pet.repository.js';
