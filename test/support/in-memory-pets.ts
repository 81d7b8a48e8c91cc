import {
  IdempotencyKeyReusedError,
  OutsideUnitOfWorkError,
  Serialized,
  SerializedPage,
  type AddOnceResult,
  type IdempotencyKey,
} from '@animal-store/kernel';
import {
  type NewPet,
  Pet,
  PetReadModel,
  PetRepository,
  type PetFilter,
  type PetPageQuery,
} from '@animal-store/pets-domain';
import { InMemoryState, InMemoryUnitOfWork } from './in-memory-unit-of-work.js';

interface Remembered {
  readonly added: Pet;
  readonly content: string;
}

/** The catalogue in an array. It passes the same contract tests as the database's adapter, and keeps keys for ever. */
export class InMemoryPetRepository extends PetRepository {
  /** In ascending order of id. */
  private readonly pets: InMemoryState<readonly Pet[]>;
  private readonly additions: InMemoryState<ReadonlyMap<string, Remembered>>;
  private newestId = 0n;

  /** @param units the units of work in which the repository takes part */
  constructor(private readonly units: InMemoryUnitOfWork = new InMemoryUnitOfWork()) {
    super();
    this.pets = new InMemoryState<readonly Pet[]>(units, []);
    this.additions = new InMemoryState<ReadonlyMap<string, Remembered>>(units, new Map());
  }

  override add(pet: NewPet): Promise<Pet> {
    return this.units.run(() => Promise.resolve(this.store(pet)));
  }

  override addOnce(pet: NewPet, { holder, key }: IdempotencyKey, content: string): Promise<AddOnceResult<Pet>> {
    const name = JSON.stringify([holder, key]);
    return this.units.run(() => {
      const before = this.additions.value.get(name);
      if (before === undefined) {
        const added = this.store(pet);
        this.additions.value = new Map([...this.additions.value, [name, { added, content }]]);
        return Promise.resolve({ added, replayed: false });
      }
      return before.content === content
        ? Promise.resolve({ added: before.added, replayed: true })
        : Promise.reject(new IdempotencyKeyReusedError());
    });
  }

  override findById(id: bigint): Promise<Pet | undefined> {
    return Promise.resolve(this.pets.value.find((pet) => pet.id === id));
  }

  override findForUpdate(id: bigint): Promise<Pet | undefined> {
    // No lock is needed: units of work run one at a time.
    return this.units.changes === undefined
      ? Promise.reject(new OutsideUnitOfWorkError('findForUpdate'))
      : this.findById(id);
  }

  override save(pet: Pet): Promise<boolean> {
    return this.units.run(() => {
      const at = this.pets.value.findIndex(({ id }) => id === pet.id);
      if (at >= 0) this.pets.value = this.pets.value.with(at, pet);
      return Promise.resolve(at >= 0);
    });
  }

  /** In ascending order of id. */
  get all(): readonly Pet[] {
    return this.pets.value;
  }

  private store(pet: NewPet): Pet {
    this.newestId += 1n;
    const stored = Pet.of(this.newestId, pet);
    this.pets.value = [...this.pets.value, stored];
    return stored;
  }
}

/** Whether the pet has the values of all filters that are given. */
function matches(pet: Pet, filter: PetFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || pet[name as keyof PetFilter] === value);
}

/** Serializes the pets of a repository. It passes the same contract tests as the database's adapter. */
export class InMemoryPetReadModel extends PetReadModel {
  /** @param serialize makes the text of a pet or of the pets of a page */
  constructor(
    private readonly pets: InMemoryPetRepository,
    private readonly serialize: (shown: Pet | readonly Pet[]) => string,
  ) {
    super();
  }

  override async findById(id: bigint): Promise<Serialized | undefined> {
    const pet = await this.pets.findById(id);
    return pet === undefined ? undefined : new Serialized(this.serialize(pet));
  }

  override findPage({ limit, afterId, ...filter }: PetPageQuery): Promise<SerializedPage> {
    const found = this.pets.all.filter((pet) => (afterId === undefined || pet.id > afterId) && matches(pet, filter));
    const page = found.slice(0, limit);
    const nextAfterId = found.length > limit ? page.at(-1)?.id : undefined;
    return Promise.resolve(new SerializedPage(this.serialize(page), nextAfterId));
  }
}
