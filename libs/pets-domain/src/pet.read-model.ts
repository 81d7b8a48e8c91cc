import type { Cancellation, Serialized, SerializedPage } from '@animal-store/kernel';
import type { PetPageQuery } from './pet.repository.js';

/**
 * The catalogue as those get it who only pass it on: as text, in a form that is no matter of the catalogue.
 *
 * There are two ways to read an animal, on purpose. {@link PetRepository} gives objects of the domain, to work with. This
 * one gives the text that the store made of them: nearly every request only passes it on, so it is not taken apart into
 * objects to be put together again, its integers keep every digit, and requests that wait together can share it.
 * Both see the same animals; a contract test holds their answers together.
 */
export abstract class PetReadModel {
  /**
   * Sees all that was acknowledged before the call, as every read does (linearizable).
   *
   * @param signal what nobody waits for any more need not be read: the call may fail instead
   */
  abstract findById(id: bigint, signal?: Cancellation): Promise<Serialized | undefined>;

  /** As {@link findById}. */
  abstract findPage(query: PetPageQuery, signal?: Cancellation): Promise<SerializedPage>;
}
