import type { SqlEntityManager } from '@mikro-orm/sql';
import { Pet, PetRepository, type NewPet, type PetPageQuery } from '@animal-store/pets-domain';
import { onDatabase } from '../database-errors.js';
import type { PetAdditions } from './pet-additions.js';

/** The catalogue in PostgreSQL. */
export class MikroOrmPetRepository extends PetRepository {
  constructor(
    private readonly entityManager: SqlEntityManager,
    private readonly additions: PetAdditions,
  ) {
    super();
  }

  override add(pet: NewPet): Promise<Pet> {
    return this.additions.submit(pet);
  }

  override findById(id: bigint): Promise<Pet | undefined> {
    return onDatabase(async () => (await this.entityManager.fork().findOne(Pet, { id })) ?? undefined);
  }

  override findPage({ limit, status, afterId }: PetPageQuery): Promise<Pet[]> {
    const where = {
      ...(status !== undefined && { status }),
      ...(afterId !== undefined && { id: { $gt: afterId } }),
    };
    return onDatabase(() => this.entityManager.fork().find(Pet, where, { orderBy: { id: 'asc' }, limit }));
  }
}
