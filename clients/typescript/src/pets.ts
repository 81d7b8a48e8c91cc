import { endpointsOf } from './endpoints.js';
import type { components, paths } from './generated/openapi.js';
import type { Int64In, Sent } from './int64.js';

type Schemas = components['schemas'];

export type PetStatus = Schemas['PetStatus'];

/** An animal of the catalogue. */
export type Animal = Pick<Schemas['Animal'], 'id' | 'name' | 'categoryId' | 'status'>;

/** An animal to be added. */
export type NewPet = Sent<Pick<Schemas['NewPet'], 'name' | 'categoryId' | 'status'>>;

const { list, create, get } = endpointsOf<paths>();

const ANIMAL = { id: 'int64', categoryId: 'int64' } satisfies Int64In<Animal>;
const NEW_PET = { categoryId: 'int64' } satisfies Int64In<Schemas['NewPet']>;

/** The operations of the catalogue. */
export const PETS = {
  /** The animals in ascending order of id: `for await (const animal of store.pets.list({ status: 'available' }))`. */
  list: list('/pets', { items: ANIMAL }),
  /** Adds an animal, once, however often it has to be sent. */
  create: create('/pets', { body: NEW_PET, answer: ANIMAL }),
  /**
   * One animal.
   *
   * @deprecated The service removes it on 5 December 2030: look for the animal in `list`.
   */
  get: get('/pets/{petId}', { answer: ANIMAL }),
};
