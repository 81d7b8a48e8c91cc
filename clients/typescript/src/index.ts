export { AnimalStore } from './animal-store.js';
export {
  AbortedError,
  AnimalStoreError,
  ApiError,
  NetworkError,
  TimeoutError,
  UnreadableResponseError,
} from './errors.js';
export { parse, stringify } from './json.js';
export type { Listing, Page } from './listing.js';
export type { AttemptOutcome, AttemptRequest, CallOptions, ClientOptions, CreateOptions } from './options.js';
export type { Animal, NewPet, PetQuery, Pets, PetStatus } from './pets.js';
