import { BoundedMap } from './bounded-map.js';

/** How long a key that the store did not have is refused without a query, in milliseconds. A new key may wait that long. */
const MISSED_FOR_MS = 500;

/** The number of hashes in the cache, a few hundred bytes each. Attackers can send any hash, so the oldest is removed. */
const MAX_MISSED = 10_000;

/** A short-lived cache of keys that the store did not have, so that a repeated wrong key costs no query. */
export class AbsentApiKeyCache {
  private readonly askedAt = new BoundedMap<string, number>(MAX_MISSED);

  /** @param askedAt `performance.now()` before the query, because the key may have been created since */
  add(hash: string, askedAt: number): void {
    this.askedAt.delete(hash);
    this.askedAt.set(hash, askedAt);
  }

  has(hash: string, now: number): boolean {
    const askedAt = this.askedAt.get(hash);
    return askedAt !== undefined && now - askedAt < MISSED_FOR_MS;
  }
}
