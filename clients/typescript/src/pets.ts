import { digitsOf, isInt64, stringify } from './json.js';
import { listing, queryOf, type Listing } from './listing.js';
import { newId } from './new-id.js';
import type { CallOptions, CreateOptions } from './options.js';
import type { Send } from './transport.js';

/** Whether an animal can be bought. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** An animal of the catalogue. */
export interface Animal {
  /** Assigned by the service. */
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus;
}

/** A new animal. */
export interface NewPet {
  /** At least one non-blank character, and at most 255. */
  readonly name: string;
  /** A `number` up to 2^53, beyond that a `bigint`. */
  readonly categoryId: bigint | number;
  /** Default `available`. */
  readonly status?: PetStatus | undefined;
}

/** Which animals are listed. */
export interface PetQuery {
  /** The animals of a page, from 1 to 100. Default 20. */
  readonly limit?: number | undefined;
  readonly status?: PetStatus | undefined;
  /** The `next` of a page: begins at the page after it. It goes with the `status` that it came with. */
  readonly cursor?: string | undefined;
}

/** The operations of the catalogue. */
export interface Pets {
  /**
   * Lists the animals in ascending order of id: `for await (const animal of store.pets.list({ status: 'available' }))`.
   *
   * @throws TypeError if the query holds what is no query parameter
   */
  list(query?: PetQuery, options?: CallOptions): Listing<Animal>;

  /** Adds an animal exactly once, even if the request is sent several times. */
  create(pet: NewPet, options?: CreateOptions): Promise<Animal>;

  /**
   * Reads one animal.
   *
   * @deprecated The service removes this operation on 5 December 2030. Keep what `create` and `list` return.
   */
  get(id: bigint | number, options?: CallOptions): Promise<Animal>;
}

export function petsOf(send: Send): Pets {
  return {
    list: (query = {}, options = {}) => {
      const isPage = (value: unknown): value is Animal[] => Array.isArray(value) && value.every(isAnimal);
      return listing(send, { operation: 'GET /pets', query: queryOf(query), isExpected: isPage, options });
    },

    create: async (pet, { idempotencyKey = newId(), ...options } = {}) => {
      if (typeof pet.categoryId === 'number') digitsOf(pet.categoryId);
      const call = { operation: 'POST /pets', body: stringify(pet), idempotencyKey, isExpected: isAnimal, options };
      return (await send(call)).value;
    },

    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its callers are told, and this is where it is made
    get: async (id, options = {}) =>
      (await send({ operation: 'GET /pets/{petId}', id: digitsOf(id), isExpected: isAnimal, options })).value,
  };
}

/** Whether this is a response with the two ids. The other members are the service's concern. */
function isAnimal(value: unknown): value is Animal {
  const { id, categoryId } = Object(value) as Partial<Animal>;
  return isInt64(id) && isInt64(categoryId);
}
