/** More calls wait for the database than the service lets wait. Nothing was done for this one. */
export class OverloadedError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service is overloaded at the moment: try again later');
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
