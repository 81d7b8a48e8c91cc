import { LockMode, TransactionContext } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { OutsideUnitOfWorkError, type Cancellation, type IdempotencyKey } from '@animal-store/kernel';
import {
  Pet,
  PetNotFoundError,
  PetRepository,
  type Addition,
  type NewPet,
  type PetPageQuery,
} from '@animal-store/pets-domain';
import { Batcher } from '../batching/batcher.js';
import type { BatcherLoad } from '../batching/batcher-load.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../database-errors.js';
import type { IdempotentPetAdditions } from './idempotent-pet-additions.js';
import { toBigInt, type Statements } from '../statements.js';
import { ADD_PETS } from './pet.statements.js';

/** The catalogue in PostgreSQL. */
export class MikroOrmPetRepository extends PetRepository {
  constructor(
    private readonly entityManager: SqlEntityManager,
    private readonly additions: PetAdditions,
    private readonly idempotentAdditions: IdempotentPetAdditions,
  ) {
    super();
  }

  override add(pet: NewPet, signal?: Cancellation): Promise<Pet> {
    return this.additions.submit(pet, signal);
  }

  override addOnce(pet: NewPet, key: IdempotencyKey): Promise<Addition> {
    return this.idempotentAdditions.submit(pet, key);
  }

  override findById(id: bigint): Promise<Pet | undefined> {
    return onDatabase(async () => (await this.entityManager.fork().findOne(Pet, { id })) ?? undefined);
  }

  override async findForUpdate(id: bigint): Promise<Pet | undefined> {
    const em = TransactionContext.getEntityManager(this.entityManager.name);
    if (em === undefined) throw new OutsideUnitOfWorkError('findForUpdate');
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
    return (await onDatabase(() => em.findOne(Pet, { id }, options))) ?? undefined;
  }

  override async save({ id, name, categoryId, status }: Pet): Promise<void> {
    const em = TransactionContext.getEntityManager(this.entityManager.name) ?? this.entityManager.fork();
    const changed = await onDatabase(() => em.nativeUpdate(Pet, { id }, { name, categoryId, status }));
    if (changed === 0) throw new PetNotFoundError(id);
  }

  override findPage({ limit, status, afterId }: PetPageQuery): Promise<Pet[]> {
    const after = afterId === undefined ? {} : { id: { $gt: afterId } };
    // A range of one value, for the same reason as in FIND_PAGES: it makes the index of the filter the one to walk.
    const where = status === undefined ? after : { ...after, status: { $gte: status, $lte: status } };
    const orderBy = status === undefined ? { id: 'asc' as const } : { status: 'asc' as const, id: 'asc' as const };
    return onDatabase(() => this.entityManager.fork().find(Pet, where, { orderBy, limit }));
  }
}

/** Adds animals, those that wait together in one statement and one commit. */
export class PetAdditions {
  private readonly batcher: Batcher<NewPet, Pet>;

  constructor(
    private readonly statements: Statements,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: true, run: (pets) => this.add(pets) });
  }

  /** For whoever measures them. */
  get batchers(): Readonly<Record<string, BatcherLoad>> {
    return { add_pets: this.batcher };
  }

  /** Resolves when the animal is durable. */
  submit(pet: NewPet, signal?: Cancellation): Promise<Pet> {
    return this.batcher.submit(pet, signal);
  }

  private async add(pets: readonly NewPet[]): Promise<Pet[]> {
    const rows = await this.statements.run(ADD_PETS, [
      pets.map(({ name }) => name),
      pets.map(({ categoryId }) => String(categoryId)),
      pets.map(({ status }) => status),
    ]);
    return pets.map(({ name, categoryId, status }, index) => {
      return new Pet(toBigInt(rows[index]?.[0]), name, categoryId, status);
    });
  }
}
