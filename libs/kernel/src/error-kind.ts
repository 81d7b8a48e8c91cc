/**
 * What kind of failure an error of a domain is. An error takes part by having a `kind` and a `code`: no base class. How a
 * kind looks from outside, such as its HTTP status, is decided by who carries it there.
 *
 * - `invalid`: what was given breaks a rule; the message names every one.
 * - `unauthorized`: nobody knows who asks.
 * - `forbidden`: it is known who asks, and they may not do this.
 * - `not_found`: what was asked for does not exist.
 * - `conflict`: what was asked for contradicts the state of things, or something that is in progress.
 * - `gone`: what was asked for existed once, and will not again.
 * - `unprocessable`: what was given is well-formed, and makes no sense here.
 * - `rate_limited`: more was asked for than is allowed; later it will do.
 * - `unavailable`: something that is needed is away for the moment; the same request may do later.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';
