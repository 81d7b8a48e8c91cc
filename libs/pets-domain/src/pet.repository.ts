import type { Cancellation, IdempotencyKey, PageQuery } from '@animal-store/kernel';
import type { NewPet, Pet, PetStatus } from './pet.js';

/** Which pets are shown. */
export interface PetFilter {
  /** Left out: pets of any status. */
  readonly status?: PetStatus | undefined;
}

/** Which pets a page shows. */
export interface PetPageQuery extends PageQuery, PetFilter {}

/** What {@link PetRepository.addOnce} did. */
export interface AddOnceResult {
  /** As it was when it was added, whatever became of it since. */
  readonly pet: Pet;
  /** It had been added before, by an earlier call with the same key. */
  readonly replayed: boolean;
}

/**
 * Where the pets are kept. Every method sees all that was acknowledged before it was called
 * (linearizable), and fails with an error of kind `unavailable` when the store can't be reached. Inside a unit of work
 * every method takes part in it, and sees what was done in it before.
 */
export abstract class PetRepository {
  /**
   * Stores the pet durably under a new id. Ids become visible in ascending order.
   *
   * @param signal a pet that nobody waits for any more before it is stored may be left out, with an error
   */
  abstract add(pet: NewPet, signal?: Cancellation): Promise<Pet>;

  /**
   * As {@link add}, but however often it is called with one key, at once or one after the other, on any instance, it adds
   * one pet and answers with it. What it did is remembered for {@link IDEMPOTENCY_KEY_HOURS}, as durably as the pet;
   * a call that failed is not, and may be repeated.
   *
   * @throws IdempotencyKeyReusedError when the key was used for a pet with other fields
   */
  abstract addOnce(pet: NewPet, key: IdempotencyKey): Promise<AddOnceResult>;

  /** The pet with this id, or `undefined`. */
  abstract findById(id: bigint): Promise<Pet | undefined>;

  /**
   * The pet with this id, or `undefined`, to be changed and {@link save}d: until the end of the unit of work nobody else
   * gets it so, and nobody else saves it. Whoever loads several does it in ascending order of id, or may wait in a circle.
   *
   * @throws OutsideUnitOfWorkError outside of a unit of work
   */
  abstract findForUpdate(id: bigint): Promise<Pet | undefined>;

  /**
   * Stores the name, the category and the status of a pet that was {@link add}ed: by itself, or with everything else of
   * the unit of work that the caller is in.
   *
   * @throws PetNotFoundError when no pet has its id
   */
  abstract save(pet: Pet): Promise<void>;

  /** The pets of one page; fewer than `limit` only where no more exist. */
  abstract findPage(query: PetPageQuery): Promise<Pet[]>;
}
