import { Injectable } from '@nestjs/common';
import {
  IdempotencyKeyReusedError,
  Serialized,
  type AddOnceResult,
  type IdempotencyKey,
  type SerializedPage,
} from '@animal-store/kernel';
import { Pet, PetReadModel, type NewPet, type PetPageQuery } from '@animal-store/pets-domain';
import { DatabaseStats } from '../database-stats.js';
import { contentHash } from '../idempotency/mikro-orm-idempotency.js';
import { PageCache } from '../page-cache.js';
import { SharedStatement } from '../shared-statement.js';
import { Statements } from '../statements.js';
import { ADD_PETS, ADD_PETS_ONCE, FIND_PAGES, FIND_PETS } from './pet.statements.js';

const BEFORE_ALL = '-9223372036854775808';

/** An addition under a key, with the `contentHash` of its request. */
interface KeyedPet {
  readonly pet: NewPet;
  readonly key: IdempotencyKey;
  readonly hash: string;
}

/** The pets that queries of one statement want after one position. */
interface Wanted {
  readonly after: string;
  readonly status: string | null;
  size: number;
}

/** The frequent reads and writes of the catalogue. Calls that wait share a statement; inside a transaction each has its own. */
@Injectable()
export class SharedPets extends PetReadModel {
  private readonly cache = new PageCache();
  /** By the names of their statements. */
  private readonly shared = {
    find_pets: new SharedStatement({ writes: false, run: (ids: readonly bigint[]) => this.findAll(ids.map(String)) }),
    find_pets_pages: new SharedStatement({
      writes: false,
      run: (queries: readonly PetPageQuery[]) => this.findPages(queries),
    }),
    add_pets: new SharedStatement({ writes: true, run: (pets: readonly NewPet[]) => this.addAll(pets) }),
    add_pets_once: new SharedStatement({ writes: true, run: (pets: readonly KeyedPet[]) => this.addAllOnce(pets) }),
  };

  constructor(
    private readonly statements: Statements,
    stats: DatabaseStats,
  ) {
    super();
    for (const [name, shared] of Object.entries(this.shared)) stats.shared.set(name, shared);
  }

  override findById(id: bigint): Promise<Serialized | undefined> {
    return this.serve(this.shared.find_pets, id);
  }

  override findPage(query: PetPageQuery): Promise<SerializedPage> {
    return this.serve(this.shared.find_pets_pages, query);
  }

  /** As `PetRepository.add`. */
  add(pet: NewPet): Promise<Pet> {
    return this.serve(this.shared.add_pets, pet);
  }

  /** As `PetRepository.addOnce` (ADR 0011). */
  async addOnce(pet: NewPet, key: IdempotencyKey, content: string): Promise<AddOnceResult<Pet>> {
    const result = await this.serve(this.shared.add_pets_once, { pet, key, hash: contentHash(content) });
    if (result === undefined) throw new IdempotencyKeyReusedError();
    return result;
  }

  private serve<Call, Result>(shared: SharedStatement<Call, Result>, call: Call): Promise<Result> {
    return this.statements.areInTransaction ? shared.alone(call) : shared.submit(call);
  }

  private async findAll(ids: readonly string[]): Promise<(Serialized | undefined)[]> {
    const rows = await this.statements.read(FIND_PETS, [[...new Set(ids)]]);
    const found = new Map(rows.map(([id, json]) => [String(id), new Serialized(json as string)]));
    return ids.map((id) => found.get(id));
  }

  /** Queries that begin at the same place share rows, whatever their limits. */
  private async findPages(queries: readonly PetPageQuery[]): Promise<SerializedPage[]> {
    // A transaction sees changes that others do not see, so it has a cache of its own.
    const cache = this.statements.areInTransaction ? new PageCache() : this.cache;
    const wanted = new Map<string, Wanted>();
    const keys = queries.map((query) => want(query, wanted, cache));
    const places = [...wanted.values()];
    const cached = Array.from(wanted, ([key, { size }]) => cache.find(key, size));
    const { snapshot: before } = cache;
    const rows = await this.statements.read(FIND_PAGES, [
      places.map(({ after }) => after),
      places.map(({ size }) => size),
      places.map(({ status }) => status),
      cached.map((page) => page !== undefined),
      before,
    ]);
    cache.snapshot = (rows[0]?.[1] ?? null) as string | null;
    const isUnchanged = cache.snapshot !== null && cache.snapshot === before;
    const texts = new Map(rows.map(([position, , text]) => [Number(position), (text ?? '') as string]));
    const found = new Map(
      Array.from(wanted, ([key, { size }], index) => [
        key,
        (isUnchanged ? cached[index] : undefined) ?? cache.keep(key, texts.get(index + 1) ?? '', size),
      ]),
    );
    return queries.map(({ limit }, index) => {
      const page = found.get(keys[index] ?? '');
      if (page === undefined) throw new Error('The database did not answer for every page');
      return cache.pageOf(page, limit);
    });
  }

  private async addAll(pets: readonly NewPet[]): Promise<Pet[]> {
    const ids = await this.statements.run(ADD_PETS, columnsOf(pets));
    return pets.map((pet, index) => Pet.of(toBigInt(ids[index]?.[0]), pet));
  }

  /** @returns `undefined` for a pet whose key was used for other content */
  private async addAllOnce(pets: readonly KeyedPet[]): Promise<(AddOnceResult<Pet> | undefined)[]> {
    // A statement can use a key once. Of the pets with the same key the first is sent; the others get its result.
    const sent = new Map<string, KeyedPet>();
    for (const pet of pets) if (!sent.has(nameOf(pet))) sent.set(nameOf(pet), pet);
    const first = [...sent.values()];
    const rows = await this.statements.run(ADD_PETS_ONCE, [
      first.map(({ key }) => key.holder),
      first.map(({ key }) => key.key),
      first.map(({ hash }) => hash),
      ...columnsOf(first.map(({ pet }) => pet)),
    ]);
    const uses = new Map([...sent.keys()].map((name, index) => [name, rows[index] ?? []]));
    return pets.map((keyed) => {
      const [hash, id, isNew] = uses.get(nameOf(keyed)) ?? [];
      if (hash !== keyed.hash) return undefined;
      // The request contains all fields of the pet, so only the id is stored under the key.
      return { added: Pet.of(toBigInt(id), keyed.pet), replayed: isNew !== true || sent.get(nameOf(keyed)) !== keyed };
    });
  }
}

/** Adds what a query wants to what others want. @returns its key */
function want({ limit, afterId, status }: PetPageQuery, wanted: Map<string, Wanted>, cache: PageCache): string {
  const after = afterId === undefined ? BEFORE_ALL : String(afterId);
  const key = `${after}/${status ?? ''}`;
  const place = wanted.get(key) ?? { after, status: status ?? null, size: cache.sizeOf(key) };
  // One row more than the page shows whether there is a next page.
  place.size = Math.max(place.size, limit + 1);
  wanted.set(key, place);
  return key;
}

/** The parameters of the columns of new pets. */
function columnsOf(pets: readonly NewPet[]): unknown[][] {
  return [
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => String(categoryId)),
    pets.map(({ status }) => status),
  ];
}

/** A text for a key of a holder: no text of PostgreSQL contains NUL. */
function nameOf({ key: { holder, key } }: KeyedPet): string {
  return `${holder}\0${key}`;
}

function toBigInt(column: unknown): bigint {
  return BigInt(column as string | number | bigint);
}
