import { STATUS_CODES } from 'node:http';
import type { ErrorKind } from '@animal-store/kernel';

/** The HTTP status of each kind of error. */
export const STATUS_OF_KIND = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** An error code for clients: the HTTP status that it comes with, and its meaning in one sentence. */
export interface ErrorCodeEntry {
  readonly status: number;
  readonly meaning: string;
}

/** A code that a module adds. Its status is the status of `kind`. */
export interface ErrorCodeDefinition {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly meaning: string;
}

/** The codes that every application has. */
export const BASE_ERROR_CODES = {
  invalid_request: {
    status: 400,
    meaning: 'A field is missing or wrong, or the request is not well-formed.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The API key is missing or invalid.',
  },
  forbidden: { status: 403, meaning: 'The API key is valid, but does not permit this request.' },
  not_found: {
    status: 404,
    meaning: 'Nothing exists at this address, or with this ID.',
  },
  method_not_allowed: { status: 405, meaning: 'This address does not support the method. `Allow` lists its methods.' },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
  },
  conflict: { status: 409, meaning: 'The request conflicts with the current state of the resource.' },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the service accepts.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json`, or has an encoding that is not supported.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` was used before for a different request.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The API key sent too many requests. `Retry-After` says when to try again.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The header fields of the request are too large.',
  },
  internal_error: {
    status: 500,
    meaning: 'The service failed. Quote the `X-Request-Id` of the response when you report it.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service or its database is not available. `Retry-After` says when to try again.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type BaseErrorCode = keyof typeof BASE_ERROR_CODES;

/** The code of an error that has only a status. */
const CODE_OF_STATUS = new Map<number, string>(
  Object.entries(BASE_ERROR_CODES)
    .filter(([code]) => code !== 'idempotency_key_reused')
    .map(([code, { status }]) => [status, code]),
);

/** The code for an HTTP status that has no code of its own: the name of the status in HTTP. */
export function codeForStatus(status: number): string {
  return CODE_OF_STATUS.get(status) ?? (STATUS_CODES[status] ?? 'error').toLowerCase().replaceAll(/[^a-z]+/g, '_');
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** All values of `code` in the Error bodies of an application: the base codes, and the codes of its modules. */
export class ErrorCodes {
  private readonly entries = new Map<string, ErrorCodeEntry>(Object.entries(BASE_ERROR_CODES));

  /** @throws Error if a code is not in lower snake_case, or has another meaning already */
  register(definitions: readonly ErrorCodeDefinition[]): void {
    for (const { code, kind, meaning } of definitions) {
      if (!SNAKE_CASE.test(code)) throw new Error(`The error code "${code}" must be lower snake_case`);
      const known = this.entries.get(code);
      if (known !== undefined && known.meaning !== meaning)
        throw new Error(`The error code "${code}" has another meaning already: ${known.meaning}`);
      this.entries.set(code, { status: STATUS_OF_KIND[kind], meaning });
    }
  }

  /** All codes, sorted by status. Codes of the same status keep the order of their registration. */
  all(): [code: string, entry: ErrorCodeEntry][] {
    return [...this.entries].sort(([, one], [, other]) => one.status - other.status);
  }
}
