import type { Caller } from './caller.js';

/** A key that the store confirmed. Times are values of `performance.now()`, in milliseconds. */
export interface CachedApiKey {
  readonly hash: string;
  readonly caller: Caller;
  /** A request after this time starts a lookup in the background. Never later than `until`. */
  refreshAt: number;
  /** A request before this time need not wait for the store. Never later than the expiry of the key. */
  until: number;
  /** While the store is unavailable, the key is accepted until this time. */
  untilAway: number;
}
