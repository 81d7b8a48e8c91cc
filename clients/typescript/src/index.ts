export { AnimalStore, type Bound, type Declared } from './animal-store.js';
export type { DeprecationNotice } from './deprecations.js';
export {
  endpointsOf,
  type ChangeFunction,
  type CreateFunction,
  type CreateOptions,
  type Endpoint,
  type Endpoints,
  type GetFunction,
  type ListFunction,
} from './endpoints.js';
export {
  AbortedError,
  AnimalStoreError,
  ApiError,
  NetworkError,
  TimeoutError,
  UnreadableResponseError,
} from './errors.js';
export type { Int64In, Sent } from './int64.js';
export { parse, stringify } from './json.js';
export type { Listing, Page } from './listing.js';
export type { AttemptOutcome, AttemptRequest, CallOptions, ClientOptions } from './options.js';
export { ANIMAL, type Animal, type NewPet, type PetStatus } from './pets.js';
