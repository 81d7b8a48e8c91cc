import type { IncomingMessage } from 'node:http';
import type { ApiKey } from './api-key.js';

/** Who sent a request, identified by the API key. */
export interface Caller {
  /** The decimal id of the key, or `bootstrap`. It is unique; names are not. */
  readonly id: string;
  /** The name of the API key. Never the key. */
  readonly keyName: string;
  /** The owner of what the key creates. It stays the same after a rotation, and is unique ({@link holderOf}). */
  readonly holder: string;
  /** What the key may do ({@link Scopes}); `undefined`: everything. */
  readonly scopes: readonly string[] | undefined;
}

/** A request with its caller in `user`, where Nest and Passport put it. */
export type RequestOfCaller = IncomingMessage & { user?: Caller };

/** The caller of an authenticated request; `undefined` on public routes and before the guard ran. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestOfCaller).user;
}

/** The permanent id of a key's holder, which only the keys of one chain of rotations share. */
export function holderOf({ id, lineageId = id }: Pick<ApiKey, 'id' | 'lineageId'>): string {
  return `lineage:${lineageId}`;
}

/** The challenge in the header `WWW-Authenticate` (RFC 6750, section 3). */
export const CHALLENGE = 'Bearer realm="animal-store"';

/** The request carries no valid API key. */
export class UnauthorizedError extends Error {
  readonly kind = 'unauthorized';
  readonly code = 'unauthorized';

  private constructor(
    message: string,
    /** The value of the response's header `WWW-Authenticate`. */
    readonly challenge: string,
    cause?: Error,
  ) {
    super(message, { cause });
  }

  static missingKey(): UnauthorizedError {
    return new UnauthorizedError('An API key is required: send the header Authorization: Bearer <API_KEY>', CHALLENGE);
  }

  /** @param stored the key, if it is stored: for the log, as the caller does not learn that it existed */
  static invalidKey(stored?: Pick<ApiKey, 'name' | 'end'>): UnauthorizedError {
    return new UnauthorizedError(
      'The API key is not valid: send one valid key in one header Authorization: Bearer <API_KEY>',
      `${CHALLENGE}, error="invalid_token"`,
      stored && new Error(`The key of ${stored.name} is ${stored.end}`),
    );
  }
}

/** Too many unknown keys are being looked up. That of this request was not, so it may be valid. */
export class TooManyLookupsError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('Too many API keys are being looked up at the moment: try again later');
  }
}

/** The API key of the request is valid, but lacks a scope that the route needs. */
export class MissingScopeError extends Error {
  readonly kind = 'forbidden';
  readonly code = 'forbidden';

  constructor(missing: readonly string[]) {
    super(`The API key lacks the scope ${missing.join(', ')}: ask for a key that has it`);
  }
}
