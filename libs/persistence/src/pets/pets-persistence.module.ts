import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { PetRepository } from '@animal-store/pets-domain';
import { MikroOrmPetRepository } from './mikro-orm-pet.repository.js';
import { PetMapping } from './pet.mapping.js';

/** Gives the ports of the catalogue their adapters in the database. */
@Module({
  imports: [MikroOrmModule.forFeature([PetMapping])],
  providers: [
    {
      provide: PetRepository,
      useFactory: (em: SqlEntityManager) => new MikroOrmPetRepository(em),
      inject: [EntityManager],
    },
  ],
  exports: [PetRepository],
})
export class PetsPersistenceModule {}
