import type { IncomingMessage } from 'node:http';

/** Who sent a request, as far as its API key tells. The requests of one key share one object. */
export interface Caller {
  /** Tells keys apart for good, also those of one name: the decimal id of the key, or `bootstrap`. */
  readonly id: string;
  /** The name of the API key. Never the key. */
  readonly keyName: string;
  /** Whose what was done with the key is: the same after a rotation, and nobody else's, whatever the name ({@link holderOf}). */
  readonly holder: string;
}

/** A request with its caller where Nest's and Passport's documentation has it: guards of a module find it there. */
export type RequestOfCaller = IncomingMessage & {
  /** Set by the guard alone. */
  user?: Caller;
};

/** The caller of an authenticated request; `undefined` on public routes and before the guard ran. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestOfCaller).user;
}
