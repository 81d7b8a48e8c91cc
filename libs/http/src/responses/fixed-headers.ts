import type { HeaderFields } from './http-response.js';
import { SECURITY_HEADERS } from './security-headers.js';

/**
 * The header fields that are the same on every response. A response belongs to the API key of its request: no shared cache
 * may store it, and a private cache must validate it before each use.
 */
export const FIXED_HEADERS: HeaderFields = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
}).flat();

/** The names of the fixed header fields and of the request id, in lower case. */
export const STANDARD_NAMES: ReadonlySet<string> = new Set([
  ...FIXED_HEADERS.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
  'x-request-id',
]);
