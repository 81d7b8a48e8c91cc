import type { Cancellation } from '@animal-store/kernel';
import { Pet, type NewPet } from '@animal-store/pets-domain';
import { Batcher } from '../batching/batcher.js';
import type { BatcherLoad } from '../batching/batcher-load.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { toBigInt, type Statements } from '../statements.js';
import { ADD_PETS } from './pet.statements.js';

/** Adds animals, those that wait together in one statement and one commit. */
export class PetAdditions {
  private readonly batcher: Batcher<NewPet, Pet>;

  constructor(
    private readonly statements: Statements,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: true, run: (pets) => this.add(pets) });
  }

  /** For whoever measures them. */
  get batchers(): Readonly<Record<string, BatcherLoad>> {
    return { add_pets: this.batcher };
  }

  /** Resolves when the animal is durable. */
  submit(pet: NewPet, signal?: Cancellation): Promise<Pet> {
    return this.batcher.submit(pet, signal);
  }

  private async add(pets: readonly NewPet[]): Promise<Pet[]> {
    const rows = await this.statements.run(ADD_PETS, [
      pets.map(({ name }) => name),
      pets.map(({ categoryId }) => String(categoryId)),
      pets.map(({ status }) => status),
    ]);
    return pets.map(({ name, categoryId, status }, index) => {
      return new Pet(toBigInt(rows[index]?.[0]), name, categoryId, status);
    });
  }
}
