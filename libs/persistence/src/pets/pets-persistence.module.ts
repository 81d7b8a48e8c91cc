import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { READ_LIMITS, WRITE_LIMITS } from '../batching/batching-limits.js';
import { IdempotencyPersistenceModule } from '../idempotency/idempotency-persistence.module.js';
import { ReadStatements, Statements } from '../statements.js';
import { BatchedPetReadModel } from './batched-pet.read-model.js';
import { IdempotentPetAdditions } from './idempotent-pet-additions.js';
import { MikroOrmPetRepository } from './mikro-orm-pet.repository.js';
import { PetAdditions } from './pet-additions.js';
import { PetMapping } from './pet.mapping.js';

/** Gives the ports of the catalogue their adapters in the database. */
@Module({
  imports: [MikroOrmModule.forFeature([PetMapping]), IdempotencyPersistenceModule],
  providers: [
    {
      provide: PetRepository,
      useFactory: (em: SqlEntityManager, statements: Statements) =>
        new MikroOrmPetRepository(
          em,
          new PetAdditions(statements, WRITE_LIMITS),
          new IdempotentPetAdditions(statements, WRITE_LIMITS),
        ),
      inject: [EntityManager, Statements],
    },
    {
      provide: PetReadModel,
      useFactory: (statements: ReadStatements) => new BatchedPetReadModel(statements, READ_LIMITS),
      inject: [ReadStatements],
    },
  ],
  exports: [PetRepository, PetReadModel],
})
export class PetsPersistenceModule {}
