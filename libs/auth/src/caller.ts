import type { IncomingMessage } from 'node:http';

/** Who sent a request, identified by the API key. The requests of one key share one object. */
export interface Caller {
  /** The decimal id of the key, or `bootstrap`. It is unique; names are not. */
  readonly id: string;
  /** The name of the API key. Never the key. */
  readonly keyName: string;
  /** The owner of what the key creates. It stays the same after a rotation, and is unique ({@link holderOf}). */
  readonly holder: string;
}

/** A request with its caller in `user`, where Nest and Passport put it. Guards of a module find it there. */
export type RequestOfCaller = IncomingMessage & {
  /** Set by the API key guard only. */
  user?: Caller;
};

/** The caller of an authenticated request; `undefined` on public routes and before the guard ran. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestOfCaller).user;
}
