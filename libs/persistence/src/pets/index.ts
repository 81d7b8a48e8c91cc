import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { IdempotencyPersistenceModule } from '../idempotency/index.js';
import { MikroOrmPets } from './mikro-orm-pets.js';
import { PetMapping } from './pet.mapping.js';
import { SharedPets } from './shared-pets.js';

@Module({
  imports: [MikroOrmModule.forFeature([PetMapping]), IdempotencyPersistenceModule],
  providers: [
    SharedPets,
    { provide: PetReadModel, useExisting: SharedPets },
    { provide: PetRepository, useClass: MikroOrmPets },
  ],
  exports: [PetRepository, PetReadModel],
})
export class PetsPersistenceModule {}
