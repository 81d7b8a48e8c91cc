/** The caller exceeded its limit of requests. The request has had no effect. */
export class RateLimitedError extends Error {
  readonly kind = 'rate_limited';
  readonly code = 'rate_limited';
  readonly headers: Readonly<Record<string, string>>;

  /** @param retryAfter in seconds (RFC 9110, section 10.2.3) */
  constructor(limit: number, retryAfter: number) {
    super(`This API key may send ${limit} requests in a minute: try again in ${retryAfter} s`);
    this.headers = { 'Retry-After': String(retryAfter) };
  }
}
