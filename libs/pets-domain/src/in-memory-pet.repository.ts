import { IDEMPOTENCY_KEY_HOURS, IdempotencyKeyReusedError, type IdempotencyKey } from '@animal-store/kernel';
import { contentOf, type NewPet, Pet } from './pet.js';
import { PetRepository, type Addition, type PetPageQuery } from './pet.repository.js';

const MS_PER_HOUR = 3_600_000;

interface Remembered {
  readonly pet: Pet;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The catalogue in an array: for tests and experiments. It passes the same contract as the database adapters. */
export class InMemoryPetRepository extends PetRepository {
  private readonly pets: Pet[] = [];
  private readonly additions = new Map<string, Remembered>();

  /** @param now tells the time, in milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  override add(pet: NewPet): Promise<Pet> {
    return Promise.resolve(this.store(pet));
  }

  override addOnce(pet: NewPet, { holder, key }: IdempotencyKey): Promise<Addition> {
    const name = JSON.stringify([holder, key]);
    const before = this.additions.get(name);
    if (before === undefined || before.until <= this.now()) {
      const added = this.store(pet);
      this.additions.set(name, { pet: added, until: this.now() + IDEMPOTENCY_KEY_HOURS * MS_PER_HOUR });
      return Promise.resolve({ pet: added, replayed: false });
    }
    return contentOf(before.pet) === contentOf(pet)
      ? Promise.resolve({ pet: before.pet, replayed: true })
      : Promise.reject(new IdempotencyKeyReusedError());
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

  private store({ name, categoryId, status }: NewPet): Pet {
    const stored = new Pet(BigInt(this.pets.length + 1), name, categoryId, status);
    this.pets.push(stored);
    return stored;
  }
}
