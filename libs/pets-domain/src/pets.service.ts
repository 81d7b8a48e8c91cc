import type { AddOnceResult, IdempotencyKey, Serialized, SerializedPage } from '@animal-store/kernel';
import { PetNotFoundError } from './pet.errors.js';
import type { PetPageQuery, PetReadModel, PetRepository } from './pet.repository.js';
import { canonicalForm, type NewPet, type Pet } from './pet.js';

/** The use cases of the catalogue. */
export class PetsService {
  constructor(
    private readonly pets: PetRepository,
    private readonly catalogue: PetReadModel,
  ) {}

  /** Adds a pet. When the promise resolves, the pet is durable, and visible to every later read of the primary. */
  add(pet: NewPet): Promise<Pet> {
    return this.pets.add(pet);
  }

  /**
   * As {@link add}, but all calls with one key add one pet. So a client that got no response may repeat its request.
   *
   * @throws IdempotencyKeyReusedError when the key was used for a pet with other fields
   */
  addOnce(pet: NewPet, key: IdempotencyKey): Promise<AddOnceResult<Pet>> {
    return this.pets.addOnce(pet, key, canonicalForm(pet));
  }

  /** @throws PetNotFoundError */
  get(id: bigint): Promise<Serialized> {
    // `then` and not `await`, which would make one more promise for each request.
    return this.catalogue.findById(id).then((pet) => {
      if (pet === undefined) throw new PetNotFoundError(id);
      return pet;
    });
  }

  /** A page in ascending order of id. */
  list(query: PetPageQuery): Promise<SerializedPage> {
    return this.catalogue.findPage(query);
  }
}
