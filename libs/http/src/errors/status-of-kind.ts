import type { ErrorKind } from '@animal-store/kernel';

/** The HTTP status of each kind of error: the kinds of domain errors, and the kinds that exist only in HTTP. */
export const STATUS_OF_KIND = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  headers_too_large: 431,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number> & Record<string, number>;

/** The kinds of errors that HTTP can answer, including domain errors. */
export type HttpErrorKind = keyof typeof STATUS_OF_KIND;
