/** Too many calls wait for the database, or this call waited too long. It had no effect. */
export class OverloadedError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service is overloaded at the moment: try again later');
  }
}

/** The client no longer waits for the response, so the call was not carried out. */
export class AbandonedError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The client went away before the request was carried out');
  }
}
