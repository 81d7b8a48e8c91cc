/** Every value of `code` in an Error body: stable, with the HTTP status it comes with and what it tells the client. */
export const ERROR_CODES = {
  invalid_request: {
    status: 400,
    meaning: 'The request breaks a rule; the message names every field and what it must be.',
  },
  unauthorized: { status: 401, meaning: 'The API key is missing or invalid.' },
  not_found: { status: 404, meaning: 'Nothing is at this address, or no animal has this id.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists but not for this method; `Allow` lists those that do.',
  },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  conflict: { status: 409, meaning: 'The request conflicts with another one that is in progress.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than the service accepts.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json`, or in an encoding that is not supported.',
  },
  idempotency_key_reused: { status: 422, meaning: 'The `Idempotency-Key` was used before with another body.' },
  rate_limited: { status: 429, meaning: 'The API key sent too many requests; `Retry-After` says when to try again.' },
  headers_too_large: { status: 431, meaning: 'The header fields of the request are too large.' },
  internal_error: {
    status: 500,
    meaning: 'The service failed. Quote the `X-Request-Id` of the answer when you report it.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service or its database is not available; `Retry-After` says when to try again.',
  },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The code for an HTTP status that comes without one. */
export function codeForStatus(status: number): ErrorCode {
  const found = Object.entries(ERROR_CODES).find(([, entry]) => entry.status === status);
  if (found !== undefined) return found[0] as ErrorCode;
  return status < 500 ? 'invalid_request' : 'internal_error';
}
