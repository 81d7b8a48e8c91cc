/** More calls wait for the database than the service lets wait. Nothing was done for this one. */
export class OverloadedError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service is overloaded at the moment: try again later');
  }
}

/** The connection was lost while a write was under way: it may or may not have been carried out. It is never repeated here. */
export class UnknownOutcomeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database went away while the request was carried out: it may or may not have taken effect', { cause });
  }
}

/** Nobody waited for the call any more, so it was not carried out. */
export class AbandonedError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The client went away before the request was carried out');
  }
}
