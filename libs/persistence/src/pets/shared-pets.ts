import { Injectable } from '@nestjs/common';
import {
  IdempotencyKeyReusedError,
  type AddOnceResult,
  type IdempotencyKey,
  type SerializedPage,
} from '@animal-store/kernel';
import { Pet, PetReadModel, type NewPet, type PetPageQuery } from '@animal-store/pets-domain';
import { DatabaseStats } from '../database-stats.js';
import { contentHash } from '../idempotency/mikro-orm-idempotency.js';
import { PageCache, type Rows } from '../page-cache.js';
import { SharedStatement } from '../shared-statement.js';
import { Statements } from '../statements.js';
import { ADD_PETS, ADD_PETS_ONCE, FIND_PAGES, FIND_PETS } from './pet.statements.js';

const BEFORE_ALL = '-9223372036854775808';

const COLUMNS = ['name', 'categoryId', 'status'] as const;

/** An addition under a key, with the `contentHash` of its request. */
interface KeyedPet extends IdempotencyKey {
  readonly hash: string;
  readonly pet: NewPet;
}

/** Where pages begin, and the rows after it that they want. */
interface Place {
  readonly key: string;
  readonly index: number;
  readonly after: string;
  readonly status: string | null;
  /** The number of rows that the largest page needs. */
  size: number;
  rows?: Rows;
}

/** The frequent reads and writes of pets. Waiting calls share a statement; inside a transaction each has its own. */
@Injectable()
export class SharedPets extends PetReadModel {
  private readonly cache = new PageCache();
  private readonly shared = {
    find_pets: new SharedStatement((ids: readonly bigint[]) => this.findAll(ids.map(String))),
    find_pets_pages: new SharedStatement((queries: readonly PetPageQuery[]) => this.findPages(queries)),
    add_pets: new SharedStatement((pets: readonly NewPet[]) => this.addAll(pets), true),
    add_pets_once: new SharedStatement((pets: readonly KeyedPet[]) => this.addAllOnce(pets), true),
  };

  constructor(
    private readonly statements: Statements,
    stats: DatabaseStats,
  ) {
    super();
    for (const [name, shared] of Object.entries(this.shared)) stats.shared.set(name, shared);
  }

  override findById(id: bigint): Promise<string | undefined> {
    return this.serve(this.shared.find_pets, id);
  }

  override findPage(query: PetPageQuery): Promise<SerializedPage> {
    return this.serve(this.shared.find_pets_pages, query);
  }

  add(pet: NewPet): Promise<Pet> {
    return this.serve(this.shared.add_pets, pet);
  }

  async addOnce(pet: NewPet, key: IdempotencyKey, content: string): Promise<AddOnceResult<Pet>> {
    const result = await this.serve(this.shared.add_pets_once, { ...key, hash: contentHash(content), pet });
    if (result === undefined) throw new IdempotencyKeyReusedError();
    return result;
  }

  private serve<Call, Result>(shared: SharedStatement<Call, Result>, call: Call): Promise<Result> {
    return this.statements.areInTransaction ? shared.runAlone(call) : shared.submit(call);
  }

  private async findAll(ids: readonly string[]): Promise<(string | undefined)[]> {
    const rows = await this.statements.read(FIND_PETS, [[...new Set(ids)]]);
    const found = new Map(rows.map(([id, json]) => [String(id), json as string]));
    return ids.map((id) => found.get(id));
  }

  /** Queries that begin at the same place share rows, whatever their limits. */
  private async findPages(queries: readonly PetPageQuery[]): Promise<SerializedPage[]> {
    // A transaction sees changes that others do not see, so it has a cache of its own.
    const cache = this.statements.areInTransaction ? new PageCache() : this.cache;
    const places = new Map<string, Place>();
    const wanted = queries.map(({ limit, afterId, status = null }) => {
      const after = afterId === undefined ? BEFORE_ALL : String(afterId);
      const key = `${after}/${status}`;
      const place: Place = places.get(key) ?? { key, index: places.size, after, status, size: cache.sizeOf(key) };
      // One row more than the page shows whether there is a next page.
      place.size = Math.max(place.size, limit + 1);
      places.set(key, place);
      return { place, limit };
    });
    const all = [...places.values()];
    const cached = all.map(({ key, size }) => cache.find(key, size));
    const { snapshot: before } = cache;
    const found = await this.statements.read(FIND_PAGES, [
      ...columnsOf(all, 'after', 'size', 'status'),
      cached.map((rows) => rows !== undefined),
      before,
    ]);
    cache.snapshot = (found[0]?.[0] ?? null) as string | null;
    const isUnchanged = cache.snapshot !== null && cache.snapshot === before;
    return wanted.map(({ place, limit }) => {
      const { key, index, size } = place;
      place.rows ??=
        (isUnchanged ? cached[index] : undefined) ?? cache.keep(key, (found[index]?.[1] ?? '') as string, size);
      return cache.pageOf(place.rows, limit);
    });
  }

  private async addAll(pets: readonly NewPet[]): Promise<Pet[]> {
    const ids = await this.statements.run(ADD_PETS, columnsOf(pets, ...COLUMNS));
    return pets.map((pet, index) => Pet.of(toBigInt(ids[index]?.[0]), pet));
  }

  /** @returns `undefined` for a pet whose key was used for other content */
  private async addAllOnce(pets: readonly KeyedPet[]): Promise<(AddOnceResult<Pet> | undefined)[]> {
    // A statement can use a key once. Of the pets with the same key the first is sent; the others get its result.
    const sent = new Map<string, KeyedPet>();
    for (const pet of pets) if (!sent.has(nameOf(pet))) sent.set(nameOf(pet), pet);
    const first = [...sent.values()];
    const added = first.map(({ pet }) => pet);
    const rows = await this.statements.run(ADD_PETS_ONCE, [
      ...columnsOf(first, 'holder', 'key', 'hash'),
      ...columnsOf(added, ...COLUMNS),
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

/** An array for each member, with an element for each row. */
function columnsOf<Row>(rows: readonly Row[], ...members: readonly (keyof Row)[]): unknown[][] {
  return members.map((member) => rows.map((row) => row[member]));
}

/** Unique, because no text of PostgreSQL contains NUL. */
function nameOf({ holder, key }: KeyedPet): string {
  return `${holder}\0${key}`;
}

function toBigInt(column: unknown): bigint {
  return BigInt(column as string | number | bigint);
}
