/** The service can't serve at the moment. Why is for the log alone. */
export class NotReadyError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  readonly isLogged = true;

  constructor() {
    super('down');
  }
}
