/** The request carries no valid API key. `challenge` is the value of the answer's `WWW-Authenticate` (RFC 6750, section 3). */
export class UnauthorizedError extends Error {
  readonly kind = 'unauthorized';
  readonly code = 'unauthorized';

  private constructor(
    message: string,
    readonly challenge: string,
  ) {
    super(message);
  }

  static missingKey(): UnauthorizedError {
    return new UnauthorizedError(
      'An API key is required: send the header Authorization: Bearer <API_KEY>',
      'Bearer realm="animal-store"',
    );
  }

  static invalidKey(): UnauthorizedError {
    return new UnauthorizedError(
      'The API key is not valid: send one valid key in one header Authorization: Bearer <API_KEY>',
      'Bearer realm="animal-store", error="invalid_token"',
    );
  }
}
