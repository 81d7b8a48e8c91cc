import type { AddOnceResult, IdempotencyKey, SerializedPage } from '@animal-store/kernel';
import { PetNotFoundError } from './pet.errors.js';
import type { PetPageQuery, PetReadModel, PetRepository } from './pet.repository.js';
import { canonicalForm, type NewPet, type Pet } from './pet.js';

/** The use cases of the catalogue. */
export class PetsService {
  constructor(
    private readonly pets: PetRepository,
    private readonly catalogue: PetReadModel,
  ) {}

  /** {@link PetRepository.add} */
  add(pet: NewPet): Promise<Pet> {
    return this.pets.add(pet);
  }

  /** {@link PetRepository.addOnce}, with the fields of the pet as the content. */
  addOnce(pet: NewPet, key: IdempotencyKey): Promise<AddOnceResult<Pet>> {
    return this.pets.addOnce(pet, key, canonicalForm(pet));
  }

  /** @returns the pet as JSON text @throws PetNotFoundError */
  get(id: bigint): Promise<string> {
    // `then` and not `await`, which would make one more promise for each request.
    return this.catalogue.findById(id).then((pet) => {
      if (pet === undefined) throw new PetNotFoundError(id);
      return pet;
    });
  }

  list(query: PetPageQuery): Promise<SerializedPage> {
    return this.catalogue.findPage(query);
  }
}
