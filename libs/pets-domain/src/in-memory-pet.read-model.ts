import { Serialized, SerializedPage } from '@animal-store/kernel';
import type { Pet } from './pet.js';
import { PetReadModel } from './pet.read-model.js';
import type { PetPageQuery, PetRepository } from './pet.repository.js';

/** Serializes the pets of a repository, for tests and experiments. It passes the same contract tests as the database's adapter. */
export class InMemoryPetReadModel extends PetReadModel {
  /** @param serialize makes the text of a pet or of the pets of a page */
  constructor(
    private readonly pets: PetRepository,
    private readonly serialize: (shown: Pet | readonly Pet[]) => string,
  ) {
    super();
  }

  override async findById(id: bigint): Promise<Serialized | undefined> {
    const pet = await this.pets.findById(id);
    return pet === undefined ? undefined : new Serialized(this.serialize(pet));
  }

  override async findPage(query: PetPageQuery): Promise<SerializedPage> {
    const found = await this.pets.findPage({ ...query, limit: query.limit + 1 });
    const page = found.slice(0, query.limit);
    return new SerializedPage(this.serialize(page), found.length > query.limit ? page.at(-1)?.id : undefined);
  }
}
