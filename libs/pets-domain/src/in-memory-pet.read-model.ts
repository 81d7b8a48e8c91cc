import { PetReadModel, RenderedPage, renderPet, type RenderedPet } from './pet.read-model.js';
import type { PetPageQuery, PetRepository } from './pet.repository.js';

/** Renders what a repository holds: for tests and experiments. It passes the same contract as the database's. */
export class InMemoryPetReadModel extends PetReadModel {
  constructor(private readonly pets: PetRepository) {
    super();
  }

  override async findById(id: bigint): Promise<RenderedPet | undefined> {
    const pet = await this.pets.findById(id);
    return pet === undefined ? undefined : renderPet(pet);
  }

  override async findPage(query: PetPageQuery): Promise<RenderedPage> {
    const found = await this.pets.findPage({ ...query, limit: query.limit + 1 });
    const page = found.slice(0, query.limit);
    const json = `[${page.map((pet) => renderPet(pet).json).join(',')}]`;
    return new RenderedPage(json, found.length > query.limit ? page.at(-1)?.id : undefined);
  }
}
