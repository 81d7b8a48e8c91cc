import type { IdempotencyKey } from './idempotency-key.js';
import { PetNotFoundError } from './pet.errors.js';
import type { PetReadModel, RenderedPage, RenderedPet } from './pet.read-model.js';
import type { Addition, PetPageQuery, PetRepository } from './pet.repository.js';
import type { NewPet, Pet } from './pet.js';
import type { Requester } from './requester.js';

/** The use cases of the catalogue. */
export class PetsService {
  constructor(
    private readonly pets: PetRepository,
    private readonly catalogue: PetReadModel,
  ) {}

  /** Adds an animal. When it resolves the animal is durable, and visible to every later read. */
  add(pet: NewPet, requester?: Requester): Promise<Pet> {
    return this.pets.add(pet, requester);
  }

  /**
   * As {@link add}, one animal for one key, however often it is called: a client that got no answer may ask again.
   *
   * @throws IdempotencyKeyReusedError when the key was used for an animal with other fields
   */
  addOnce(pet: NewPet, key: IdempotencyKey): Promise<Addition> {
    return this.pets.addOnce(pet, key);
  }

  /** @throws PetNotFoundError */
  get(id: bigint, requester?: Requester): Promise<RenderedPet> {
    // Chained, not awaited: this is the hot path, and an `await` is one more promise.
    return this.catalogue.findById(id, requester).then((pet) => {
      if (pet === undefined) throw new PetNotFoundError(id);
      return pet;
    });
  }

  /** A page in ascending order of id. */
  list(query: PetPageQuery, requester?: Requester): Promise<RenderedPage> {
    return this.catalogue.findPage(query, requester);
  }
}
