import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { READ_LIMITS, WRITE_LIMITS } from '../batching/batching-limits.js';
import { DatabaseLoad } from '../database.load.js';
import { IdempotencyPersistenceModule } from '../idempotency/idempotency-persistence.module.js';
import { ReadStatements, Statements } from '../statements.js';
import { BatchedPetReadModel } from './batched-pet.read-model.js';
import { IdempotentPetAdditions } from './idempotent-pet-additions.js';
import { MikroOrmPetRepository, PetAdditions } from './mikro-orm-pet.repository.js';
import { PetMapping } from './pet.mapping.js';

/** Gives the ports of the catalogue their adapters in the database. */
@Module({
  imports: [MikroOrmModule.forFeature([PetMapping]), IdempotencyPersistenceModule],
  providers: [
    {
      provide: PetRepository,
      useFactory: (em: SqlEntityManager, statements: Statements, load: DatabaseLoad) => {
        const additions = new PetAdditions(statements, WRITE_LIMITS);
        const idempotentAdditions = new IdempotentPetAdditions(statements, WRITE_LIMITS);
        load.watch({ ...additions.batchers, ...idempotentAdditions.batchers });
        return new MikroOrmPetRepository(em, additions, idempotentAdditions);
      },
      inject: [EntityManager, Statements, DatabaseLoad],
    },
    {
      provide: PetReadModel,
      useFactory: (statements: ReadStatements, load: DatabaseLoad) => {
        const catalogue = new BatchedPetReadModel(statements, READ_LIMITS);
        load.watch(catalogue.batchers);
        return catalogue;
      },
      inject: [ReadStatements, DatabaseLoad],
    },
  ],
  exports: [PetRepository, PetReadModel],
})
export class PetsPersistenceModule {}
