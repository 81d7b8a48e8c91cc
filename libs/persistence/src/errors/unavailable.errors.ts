/** The database cannot be reached, or cannot work at the moment. The same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database is not available at the moment: try again later', { cause });
  }
}

/** The connection was lost during a write. The write may or may not have been committed. It is never repeated here. */
export class UnknownOutcomeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database went away while the request was carried out: it may or may not have taken effect', { cause });
  }
}
