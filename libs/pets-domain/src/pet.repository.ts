import type { AddOnceResult, IdempotencyKey, PageQuery, SerializedPage } from '@animal-store/kernel';
import type { PetStatus } from './pet-status.js';
import type { NewPet, Pet } from './pet.js';

export interface PetPageQuery extends PageQuery {
  /** Without it, pets of every status. */
  readonly status?: PetStatus | undefined;
}

/**
 * The store of the pets. Every method sees all changes that were acknowledged before the call (linearizability), and inside a
 * unit of work also its earlier changes. It fails with an error of kind `unavailable` when the store cannot be reached.
 */
export abstract class PetRepository {
  /**
   * Stores the pet durably under a new id. Ids become visible in ascending order: inside a unit of work every other addition
   * waits for its end, so add last.
   */
  abstract add(pet: NewPet): Promise<Pet>;

  /**
   * As {@link add}, but all calls with one key add one pet and return it, also concurrent calls and calls on other instances.
   * The result is kept for {@link IDEMPOTENCY_KEY_HOURS}, as durably as the pet. A failed call is not kept and may be repeated.
   *
   * @param content the content of the request: different contents are different requests
   * @throws IdempotencyKeyReusedError when the key was used for other content
   */
  abstract addOnce(pet: NewPet, key: IdempotencyKey, content: string): Promise<AddOnceResult<Pet>>;

  /**
   * The pet with this id, or `undefined`, locked so that it can be changed and {@link save}d. Until the end of the unit of work
   * no other unit of work can lock or save it. Lock several pets in ascending order of id, to avoid a deadlock.
   *
   * @throws OutsideUnitOfWorkError outside of a unit of work
   */
  abstract findForUpdate(id: bigint): Promise<Pet | undefined>;

  /** Stores all fields of a pet of {@link findForUpdate} or {@link add}. */
  abstract save(pet: Pet): Promise<void>;
}

/** Reads the catalogue as JSON text, as {@link PetRepository} sees it, or from a standby if the service has its address. */
export abstract class PetReadModel {
  /** @returns the pet as JSON text; `undefined` if there is none */
  abstract findById(id: bigint): Promise<string | undefined>;

  abstract findPage(query: PetPageQuery): Promise<SerializedPage>;
}
