import type { BaseErrorCode } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';
import { RequestError } from '../errors/request.errors.js';

/** Messages by a key that distinguishes them. For a single message the key is the code itself. */
export type Messages = Readonly<Record<string, string>>;

/** The messages of the service, by code. A test requests each of them. */
export const BASE_MESSAGES: Partial<Readonly<Record<BaseErrorCode, Messages>>> = {
  unauthorized: {
    missing_key: 'An API key is required: send the header Authorization: Bearer <API_KEY>',
    invalid_key: 'The API key is not valid: send one valid key in one header Authorization: Bearer <API_KEY>',
  },
  not_found: { not_found: ErrorResponse.nothingHere().message },
  method_not_allowed: {
    method_not_allowed: RequestError.methodNotAllowed('DELETE', 'GET, HEAD, POST, OPTIONS').message,
  },
  request_timeout: { request_timeout: 'The request did not arrive in time' },
  payload_too_large: { payload_too_large: RequestError.payloadTooLarge(1024 ** 2).message },
  unsupported_media_type: {
    media_type: RequestError.unsupportedMediaType().message,
    encoding: RequestError.unsupportedEncoding().message,
  },
  idempotency_key_reused: {
    idempotency_key_reused: 'The Idempotency-Key was used before with another body: send a new key with a new request',
  },
  rate_limited: { rate_limited: 'This API key may send 600 requests in a minute: try again in 30 s' },
  headers_too_large: { headers_too_large: 'The header fields of the request are too large' },
  internal_error: { internal_error: ErrorResponse.failure().message },
  service_unavailable: { service_unavailable: 'The database is not available at the moment: try again later' },
};
