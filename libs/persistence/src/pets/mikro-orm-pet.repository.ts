import type { SqlEntityManager } from '@mikro-orm/sql';
import { Pet, PetRepository, type NewPet, type PetPageQuery } from '@animal-store/pets-domain';
import { onDatabase } from '../database-errors.js';

/**
 * Held from the assignment of an id until its commit, by whoever adds an animal on any instance: so ids become
 * visible in ascending order, and a client that walks the pages never finds a new animal behind it.
 */
const ADD_PET_LOCK = 7_381_001;

/** The catalogue in PostgreSQL. */
export class MikroOrmPetRepository extends PetRepository {
  constructor(private readonly entityManager: SqlEntityManager) {
    super();
  }

  override add({ name, categoryId, status }: NewPet): Promise<Pet> {
    return onDatabase(() =>
      this.entityManager.fork().transactional(async (em) => {
        await em.execute('select pg_advisory_xact_lock(?)', [ADD_PET_LOCK]);
        // `insert` returns the id as the driver's text, whatever the mapping says.
        const id = await em.insert(Pet, { name, categoryId, status });
        return new Pet(BigInt(String(id)), name, categoryId, status);
      }),
    );
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
