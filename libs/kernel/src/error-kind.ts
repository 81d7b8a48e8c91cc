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
}

/** The message of the innermost cause, which is the first where there are several. For logs: clients do not learn it. */
export function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error of a connection has one cause for each address of the host.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause === undefined || cause === null ? error.message : rootCauseMessage(cause);
}
