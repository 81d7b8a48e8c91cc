/** Too many lookups of unknown keys are in flight. The key of this request was not looked up, so it may be valid. */
export class TooManyLookupsError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('Too many API keys are being looked up at the moment: try again later');
  }
}
