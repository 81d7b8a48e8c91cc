import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { IdempotencyPersistenceModule } from '../idempotency/idempotency-persistence.module.js';
import { Tables } from '../tables/tables.js';
import { PetMapping, PETS } from './pet.mapping.js';

/** Implements the catalogue's ports with a declared table of the database. */
@Module({
  imports: [MikroOrmModule.forFeature([PetMapping]), IdempotencyPersistenceModule],
  providers: [
    { provide: PetRepository, useFactory: (tables: Tables): PetRepository => tables.of(PETS), inject: [Tables] },
    { provide: PetReadModel, useFactory: (tables: Tables): PetReadModel => tables.readModelOf(PETS), inject: [Tables] },
  ],
  exports: [PetRepository, PetReadModel],
})
export class PetsPersistenceModule {}
