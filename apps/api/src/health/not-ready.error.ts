/** The service is not ready. Only the log contains the reason. */
export class NotReadyError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  readonly isLogged = true;

  constructor() {
    super('down');
  }
}
