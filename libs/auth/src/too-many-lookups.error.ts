/** More keys that nobody knows are being looked up than may be at once. Whether this one is valid was not asked. */
export class TooManyLookupsError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('Too many API keys are being looked up at the moment: try again later');
  }
}
