import { type NewPet, Pet } from './pet.js';
import { PetRepository, type PetPageQuery } from './pet.repository.js';

/** The catalogue in an array: for tests and experiments. It passes the same contract as the database adapters. */
export class InMemoryPetRepository extends PetRepository {
  private readonly pets: Pet[] = [];

  override add(pet: NewPet): Promise<Pet> {
    const stored = new Pet(BigInt(this.pets.length + 1), pet.name, pet.categoryId, pet.status);
    this.pets.push(stored);
    return Promise.resolve(stored);
  }

  override findById(id: bigint): Promise<Pet | undefined> {
    return Promise.resolve(this.pets.find((pet) => pet.id === id));
  }

  override findPage({ limit, status, afterId }: PetPageQuery): Promise<Pet[]> {
    const page = this.pets
      .filter((pet) => afterId === undefined || pet.id > afterId)
      .filter((pet) => status === undefined || pet.status === status)
      .slice(0, limit);
    return Promise.resolve(page);
  }
}
