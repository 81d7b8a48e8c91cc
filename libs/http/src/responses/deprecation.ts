import type { HeaderFields } from './http-response.js';

/** The deprecation of a method, as its responses announce it. */
export interface Deprecation {
  readonly fields: HeaderFields;
  /** In seconds since 1970. */
  readonly sunset: number | undefined;
}

/** The metadata key of a handler's {@link Deprecation}. */
export const DEPRECATION = 'animal-store:deprecation';
