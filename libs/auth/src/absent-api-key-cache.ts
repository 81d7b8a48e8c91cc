/** How long it is remembered that the store had no such key, in milliseconds: a new key is refused for no longer. */
const MISSED_FOR_MS = 500;

/** How many are remembered at once, a few hundred bytes each. Anybody can make up hashes: the oldest one goes. */
const MAX_MISSED = 10_000;

/** Remembers for a moment which keys the store did not have, so that a wrong key costs no query each time it is sent. */
export class AbsentApiKeyCache {
  private readonly askedAt = new Map<string, number>();

  /** @param askedAt before the query, as `performance.now()` tells the time: the key may have been made since */
  add(hash: string, askedAt: number): void {
    this.askedAt.delete(hash);
    const [oldest] = this.askedAt.size >= MAX_MISSED ? this.askedAt.keys() : [];
    if (oldest !== undefined) this.askedAt.delete(oldest);
    this.askedAt.set(hash, askedAt);
  }

  has(hash: string, now: number): boolean {
    const askedAt = this.askedAt.get(hash);
    return askedAt !== undefined && now - askedAt < MISSED_FOR_MS;
  }
}
