import type { Cancellation, IdempotencyKey, Serialized, SerializedPage } from '@animal-store/kernel';
import { PetNotFoundError } from './pet.errors.js';
import type { PetReadModel } from './pet.read-model.js';
import type { AddOnceResult, PetPageQuery, PetRepository } from './pet.repository.js';
import type { NewPet, Pet } from './pet.js';

/** The use cases of the catalogue. */
export class PetsService {
  constructor(
    private readonly pets: PetRepository,
    private readonly catalogue: PetReadModel,
  ) {}

  /** Adds a pet. When it resolves the pet is durable, and visible to every later read. */
  add(pet: NewPet, signal?: Cancellation): Promise<Pet> {
    return this.pets.add(pet, signal);
  }

  /**
   * As {@link add}, one pet for one key, however often it is called: a client that got no answer may ask again.
   *
   * @throws IdempotencyKeyReusedError when the key was used for a pet with other fields
   */
  addOnce(pet: NewPet, key: IdempotencyKey): Promise<AddOnceResult> {
    return this.pets.addOnce(pet, key);
  }

  /** @throws PetNotFoundError */
  get(id: bigint, signal?: Cancellation): Promise<Serialized> {
    // Chained, not awaited: this is the hot path, and an `await` is one more promise.
    return this.catalogue.findById(id, signal).then((pet) => {
      if (pet === undefined) throw new PetNotFoundError(id);
      return pet;
    });
  }

  /** A page in ascending order of id. */
  list(query: PetPageQuery, signal?: Cancellation): Promise<SerializedPage> {
    return this.catalogue.findPage(query, signal);
  }
}
