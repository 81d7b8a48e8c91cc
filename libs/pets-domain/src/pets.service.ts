import { PetNotFoundError } from './pet.errors.js';
import type { PetReadModel, Reader, RenderedPage, RenderedPet } from './pet.read-model.js';
import type { PetPageQuery, PetRepository } from './pet.repository.js';
import type { NewPet, Pet } from './pet.js';

/** The use cases of the catalogue. */
export class PetsService {
  constructor(
    private readonly pets: PetRepository,
    private readonly catalogue: PetReadModel,
  ) {}

  /** Adds an animal. When it resolves the animal is durable, and visible to every later read. */
  add(pet: NewPet): Promise<Pet> {
    return this.pets.add(pet);
  }

  /** @throws PetNotFoundError */
  async get(id: bigint, reader?: Reader): Promise<RenderedPet> {
    const pet = await this.catalogue.findById(id, reader);
    if (pet === undefined) throw new PetNotFoundError(id);
    return pet;
  }

  /** A page in ascending order of id. */
  list(query: PetPageQuery, reader?: Reader): Promise<RenderedPage> {
    return this.catalogue.findPage(query, reader);
  }
}
