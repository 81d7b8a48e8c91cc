import type { RefusedApiKey } from './caller.js';

/** The challenge in the header `WWW-Authenticate` (RFC 6750, section 3). */
export const CHALLENGE = 'Bearer realm="animal-store"';

/** The request carries no valid API key. `challenge` is the value of the response's header `WWW-Authenticate` (RFC 6750, section 3). */
export class UnauthorizedError extends Error {
  readonly kind = 'unauthorized';
  readonly code = 'unauthorized';

  private constructor(
    message: string,
    readonly challenge: string,
    /** The key, if it is stored. For the log and the metrics only: the caller does not learn that the key existed. */
    readonly refused?: RefusedApiKey,
  ) {
    super(message);
  }

  static missingKey(): UnauthorizedError {
    return new UnauthorizedError('An API key is required: send the header Authorization: Bearer <API_KEY>', CHALLENGE);
  }

  static invalidKey(refused?: RefusedApiKey): UnauthorizedError {
    return new UnauthorizedError(
      'The API key is not valid: send one valid key in one header Authorization: Bearer <API_KEY>',
      `${CHALLENGE}, error="invalid_token"`,
      refused,
    );
  }
}

/** The API key of the request is valid, but lacks a scope that the route needs. */
export class MissingScopeError extends Error {
  readonly kind = 'forbidden';
  readonly code = 'forbidden';

  constructor(missing: readonly string[]) {
    super(`The API key lacks the scope ${missing.join(', ')}`);
  }
}
