/** The bodies that are being read need more memory than their common limit. The request has had no effect. */
export class BodiesTooLargeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service reads too many large bodies at the moment: try again later');
  }
}
