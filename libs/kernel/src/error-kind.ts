/**
 * The kind of failure of a domain's error. An error only needs the properties `kind` and `code`, and no base class. The library
 * that shows an error to clients maps its kind, for example to an HTTP status.
 *
 * - `invalid`: the input breaks rules; the message names every violation.
 * - `unauthorized`: the caller is not known.
 * - `forbidden`: the caller is known, and is not allowed to do this.
 * - `not_found`: the requested thing does not exist.
 * - `conflict`: the request contradicts the current state, or an operation that is in progress.
 * - `gone`: the requested thing existed, and will not exist again.
 * - `precondition_failed`: a condition of the request, such as the version that it expects, is not met.
 * - `unprocessable`: the input is well-formed, but has no meaning here.
 * - `rate_limited`: the caller has made too many requests; a later request can succeed.
 * - `unavailable`: a required service cannot be used at the moment; the same request may succeed later.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';
