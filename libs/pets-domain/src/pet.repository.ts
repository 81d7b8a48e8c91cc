import type { PetStatus } from './pet-status.js';
import type { NewPet, Pet } from './pet.js';

/** Which animals a page shows: those after `afterId`, in ascending order of id, `limit` at most. */
export interface PetPageQuery {
  readonly limit: number;
  readonly status?: PetStatus | undefined;
  readonly afterId?: bigint | undefined;
}

/**
 * Where the animals are kept. Every method sees all that was acknowledged before it was called
 * (linearizable), and fails with an error of kind `unavailable` when the store can't be reached.
 */
export abstract class PetRepository {
  /** Stores the animal durably under a new id. Ids become visible in ascending order. */
  abstract add(pet: NewPet): Promise<Pet>;

  /** The animal with this id, or `undefined`. */
  abstract findById(id: bigint): Promise<Pet | undefined>;

  /** The animals of one page; fewer than `limit` only where no more exist. */
  abstract findPage(query: PetPageQuery): Promise<Pet[]>;
}
