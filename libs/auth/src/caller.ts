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

/** `user` is where Nest's and Passport's documentation has the caller: guards of a module find it there. */
interface WithUser {
  user?: Caller;
}

/** The caller of an authenticated request; `undefined` on public routes and before the guard ran. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as WithUser).user;
}

/** For the guard alone. */
export function setCaller(request: IncomingMessage, caller: Caller): void {
  (request as WithUser).user = caller;
}
