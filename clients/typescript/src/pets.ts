import { endpointsOf } from './endpoints.js';
import type { components, paths } from './generated/openapi.js';
import type { Int64In, Sent } from './int64.js';

type Schemas = components['schemas'];

/** Whether an animal can be bought: `available`, `pending` or `sold`. */
export type PetStatus = Schemas['PetStatus'];

/** An animal of the catalogue. */
export type Animal = Pick<Schemas['Animal'], 'id' | 'name' | 'categoryId' | 'status'>;

/** A new animal. */
export type NewPet = Sent<Pick<Schemas['NewPet'], 'name' | 'categoryId' | 'status'>>;

const { list, create, get } = endpointsOf<paths>();

/** The places of the 64-bit integers in an {@link Animal}, for `parse`. */
export const ANIMAL = { id: 'int64', categoryId: 'int64' } satisfies Int64In<Animal>;
const NEW_PET = { categoryId: 'int64' } satisfies Int64In<Schemas['NewPet']>;

/** The operations of the catalogue. */
export const PETS = {
  /** Lists the animals in ascending order of id: `for await (const animal of store.pets.list({ status: 'available' }))`. */
  list: list('/pets', { items: ANIMAL }),
  /** Adds an animal exactly once, even if the request is sent several times. */
  create: create('/pets', { body: NEW_PET, answer: ANIMAL }),
  /**
   * Reads one animal.
   *
   * @deprecated The service removes this operation on 5 December 2030. Use `list` to find the animal.
   */
  get: get('/pets/{petId}', { answer: ANIMAL }),
};
