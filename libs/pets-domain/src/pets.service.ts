import type { NewPet, Pet } from './pet.js';
import { PetNotFoundError } from './pet.errors.js';
import type { PetPageQuery, PetRepository } from './pet.repository.js';

/** One page of the catalogue. `nextAfterId` is set when more animals follow: the `afterId` of the next page. */
export interface PetPage {
  readonly pets: readonly Pet[];
  readonly nextAfterId?: bigint;
}

/** The use cases of the catalogue. */
export class PetsService {
  constructor(private readonly pets: PetRepository) {}

  /** Adds an animal. When it resolves the animal is durable and visible to every later read. */
  add(pet: NewPet): Promise<Pet> {
    return this.pets.add(pet);
  }

  /** @throws PetNotFoundError */
  async get(id: bigint): Promise<Pet> {
    const pet = await this.pets.findById(id);
    if (pet === undefined) throw new PetNotFoundError(id);
    return pet;
  }

  /** A page in ascending order of id. It asks for one animal more than it shows, to know whether more follow. */
  async list(query: PetPageQuery): Promise<PetPage> {
    const found = await this.pets.findPage({ ...query, limit: query.limit + 1 });
    if (found.length <= query.limit) return { pets: found };
    const pets = found.slice(0, query.limit);
    const last = pets.at(-1);
    return last === undefined ? { pets } : { pets, nextAfterId: last.id };
  }
}
