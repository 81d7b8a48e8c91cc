import { type ApiKey, sameHash } from './api-key.js';
import type { ApiKeys } from './api-key-store.js';
import { holderOf, type Caller, type RefusedApiKey, UnauthorizedError } from './caller.js';

/**
 * How long a result of the store is fresh, in milliseconds. A revoked key must be refused within a second, so a lookup may take
 * a tenth of a second.
 */
const KNOWN_FOR_MS = 900;

/** The age at which a used key is looked up again, in milliseconds. Its result is still fresh, so no request waits. */
const REFRESH_AFTER_MS = 400;

/** The time between two lookups of a key while the store is unavailable, in milliseconds. */
const RETRY_AFTER_MS = 500;

/**
 * How long the last result is used while the store is unavailable, in milliseconds. No key can be revoked then, so the risk is
 * small. The limit is for an instance that alone cannot reach the store; it is longer than a fail-over takes.
 */
const KNOWN_WHILE_AWAY_MS = 10 * 60_000;

/** How long a key that the store did not have is refused without a query, in milliseconds. A new key may wait that long. */
const MISSED_FOR_MS = 500;

/** The number of hashes in the cache, a few hundred bytes each. Attackers can send any hash, so the oldest is removed. */
const MAX_MISSED = 10_000;

/** The number of keys in the cache. Only existing keys are cached, so attackers cannot fill it. */
const MAX_KNOWN = 10_000;

/**
 * The number of concurrent lookups of keys that are not cached. Attackers can make up well-formed keys, so more lookups are
 * refused. Cached keys are not limited by it.
 */
const MAX_LOOKUPS = 1_000;

/** A key that the store confirmed. Times are values of `performance.now()`, in milliseconds. */
export interface CachedApiKey {
  /** `undefined` for the key of the environment, which is not stored. */
  readonly id: bigint | undefined;
  readonly hash: string;
  readonly caller: Caller;
  /** A request after this time starts a lookup in the background. Never later than `until`. */
  refreshAt: number;
  /** A request before this time need not wait for the store. Never later than the expiry of the key. */
  until: number;
  /** While the store is unavailable, the key is accepted until this time. */
  untilAway: number;
}

/** A key that the store did not have, or that was refused. */
interface MissedApiKey {
  /** From before the query, because the key may have been created since. */
  readonly askedAt: number;
  readonly refused?: RefusedApiKey;
}

/** Too many lookups of unknown keys are in flight. The key of this request was not looked up, so it may be valid. */
export class TooManyLookupsError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('Too many API keys are being looked up at the moment: try again later');
  }
}

/**
 * Caches valid keys, so that most requests need no lookup. A change in the store has effect within a second. While the store is
 * unavailable, cached keys are still accepted (ADR 0007).
 */
export class ApiKeyCache {
  private readonly known = new Map<string, CachedApiKey>();
  /** The refused keys by their hashes: a repeated wrong key costs no query. */
  private readonly missed = new Map<string, MissedApiKey>();
  private readonly lookups = new Map<string, { readonly askedAt: number; readonly found: Promise<CachedApiKey> }>();
  /** The number of lookups in flight for keys that are not cached. */
  private uncachedLookups = 0;

  constructor(private readonly keys: ApiKeys) {}

  /**
   * @returns the key; a promise only if the store must be asked, because a promise for every request costs too much
   * @throws UnauthorizedError if the store has no live key with this hash
   * @throws TooManyLookupsError if the key is not cached and too many such lookups are in flight
   */
  find(hash: string): CachedApiKey | Promise<CachedApiKey> {
    const known = this.known.get(hash);
    if (known !== undefined && this.isFresh(known)) return known;
    const now = performance.now();
    const missed = known === undefined ? this.missed.get(hash) : undefined;
    if (missed !== undefined && now - missed.askedAt < MISSED_FOR_MS)
      throw UnauthorizedError.invalidKey(missed.refused);
    return this.lookUpOnce(hash, now);
  }

  /** Whether a key from the cache may be used for a request that has just arrived. */
  isFresh(key: CachedApiKey): boolean {
    const now = performance.now();
    if (now >= key.until) return false;
    if (now >= key.refreshAt) this.refresh(key, now);
    return true;
  }

  private refresh(key: CachedApiKey, now: number): void {
    key.refreshAt = Math.min(now + RETRY_AFTER_MS, key.until);
    // The result is stored in `key`. The next request that must wait repeats a failed lookup.
    this.lookUpOnce(key.hash, now).catch(() => undefined);
  }

  /** Concurrent requests share a lookup, unless it began so long ago that its result would not be fresh. */
  private lookUpOnce(hash: string, now: number): Promise<CachedApiKey> {
    const pending = this.lookups.get(hash);
    if (pending !== undefined && now - pending.askedAt < KNOWN_FOR_MS) return pending.found;

    const uncached = this.known.has(hash) ? 0 : 1;
    if (uncached === 1 && this.uncachedLookups >= MAX_LOOKUPS) return Promise.reject(new TooManyLookupsError());
    this.uncachedLookups += uncached;
    const found = this.lookUp(hash, now).finally(() => {
      this.uncachedLookups -= uncached;
      if (this.lookups.get(hash)?.found === found) this.lookups.delete(hash);
    });
    this.lookups.set(hash, { askedAt: now, found });
    return found;
  }

  private async lookUp(hash: string, askedAt: number): Promise<CachedApiKey> {
    let stored: ApiKey | undefined;
    try {
      stored = await (this.known.has(hash) ? this.keys.findAgain(hash) : this.keys.findByHash(hash));
    } catch (error) {
      const known = isAway(error) ? this.known.get(hash) : undefined;
      const now = performance.now();
      if (known === undefined || now >= known.untilAway) throw error;
      // The store may be available again soon, and the key may then be revoked. So this result is fresh no longer than others.
      known.until = Math.min(now + KNOWN_FOR_MS, known.untilAway);
      known.refreshAt = Math.min(now + RETRY_AFTER_MS, known.until);
      return known;
    }
    if (stored === undefined || !sameHash(stored.hash, hash)) throw this.miss({ askedAt }, hash);
    if (stored.end !== undefined)
      throw this.miss({ askedAt, refused: { keyName: stored.name, reason: stored.end } }, hash);
    return this.confirm(stored, askedAt);
  }

  /** The age of a result counts from the start of the lookup, because the result may be that old. */
  private confirm(stored: ApiKey, askedAt: number): CachedApiKey {
    const { id, name, hash, expiresAt, scopes } = stored;
    const expiry = expiresAt === undefined ? Infinity : performance.now() + (expiresAt.getTime() - Date.now());
    const until = Math.min(askedAt + KNOWN_FOR_MS, expiry);
    const times = {
      refreshAt: Math.min(askedAt + REFRESH_AFTER_MS, until),
      until,
      untilAway: Math.min(askedAt + KNOWN_WHILE_AWAY_MS, expiry),
    };
    const known = this.known.get(hash);
    if (known !== undefined) return Object.assign(known, times);

    const confirmed = {
      id,
      hash,
      caller: { id: id.toString(), keyName: name, holder: holderOf(stored), scopes },
      ...times,
    };
    makeRoom(this.known, MAX_KNOWN);
    this.known.set(hash, confirmed);
    return confirmed;
  }

  /** @returns the error for a key that the store does not have, or has no more */
  private miss(missed: MissedApiKey, hash: string): UnauthorizedError {
    this.forget(hash);
    makeRoom(this.missed, MAX_MISSED);
    this.missed.set(hash, missed);
    return UnauthorizedError.invalidKey(missed.refused);
  }

  /** The authenticator holds the cached object itself, so it must also expire. */
  private forget(hash: string): void {
    const known = this.known.get(hash);
    if (known === undefined) return;
    known.refreshAt = known.until = -Infinity;
    this.known.delete(hash);
  }
}

/**
 * Whether the store cannot be reached. It can while this instance has too much to ask it: the key may have been revoked, so the
 * last result must not be used.
 */
function isAway(error: unknown): boolean {
  return error instanceof Error && 'kind' in error && error.kind === 'unavailable' && !('isOverload' in error);
}

/** Removes the oldest entry of a map that is full. */
function makeRoom(map: Map<string, unknown>, maxSize: number): void {
  const [oldest] = map.size >= maxSize ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
