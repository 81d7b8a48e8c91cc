export { AnimalStore, type Bound, type Declared } from './animal-store.js';
export type { CallOptions } from './call.js';
export type { ClientOptions } from './client-options.js';
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
  type ReadOptions,
} from './endpoints.js';
export {
  AnimalStoreError,
  ApiError,
  NetworkError,
  TimeoutError,
  UnreadableResponseError,
  type ErrorCode,
} from './errors.js';
export type { components, operations, paths } from './generated/openapi.js';
export type { RateLimit } from './header-fields.js';
export type { AttemptOutcome, AttemptRequest, Hooks } from './hooks.js';
export type { Int64In, Sent } from './int64.js';
export { parse, stringify } from './json.js';
export type { Listing, Page } from './listing.js';
export { ANIMAL, type Animal, type NewPet, type PetStatus } from './pets.js';
export type { Fetch, HeaderFields, Signal } from './platform.js';
export { responseOf, type ResponseInfo } from './response-info.js';
