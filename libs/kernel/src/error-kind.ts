/**
 * The kind of a domain's error, which the HTTP library maps to a status.
 *
 * - `invalid`: the input breaks rules; the message names every violation.
 * - `unauthorized`: the caller is not known; `forbidden`: the caller is known.
 * - `conflict`: the request contradicts the current state, or an operation in progress.
 * - `unprocessable`: the input is well-formed, but has no meaning here.
 * - `unavailable`: a required service cannot be used at the moment; the same request may succeed later.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';

/** An error whose meaning the service knows, whichever module throws it. It needs these members, and no base class. */
export interface KnownError extends Error {
  readonly kind: ErrorKind;
  /** The code for programs, in lower snake case. */
  readonly code: string;
  /** Of kind `unauthorized`: the value of the response's header `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Of kind `unavailable`: the service that is needed was not asked, because too much waits for it. */
  readonly isOverload?: boolean;
  /** Of kind `unavailable`: the reason is already in the log. */
  readonly isLogged?: boolean;
  /** What the log says beside the cause. Clients do not learn it. */
  readonly logFields?: Readonly<Record<string, unknown>>;
}
