import { sameHash } from './api-key.js';
import { holderOf } from './api-key-holder.js';
import type { ApiKey, ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { AbsentApiKeyCache } from './absent-api-key-cache.js';
import { TooManyLookupsError } from './too-many-lookups.error.js';
import { UnauthorizedError } from './unauthorized.error.js';

/**
 * How long an answer of the store may be used, in milliseconds. A revoked key must be refused within a second: this leaves
 * the lookup a tenth of it.
 */
const KNOWN_FOR_MS = 900;

/** When a key that is used is looked up again, while requests still go by the answer before: so none of them waits. */
const REFRESH_AFTER_MS = 400;

/** How often the store is asked while it is away, for each key. */
const RETRY_AFTER_MS = 500;

/**
 * How long the last answer is used when the store is away. Nobody can revoke a key in a store that is away, so it costs
 * little; an instance that alone has lost the store must stop believing some time, later than a fail-over takes.
 */
const KNOWN_WHILE_AWAY_MS = 10 * 60_000;

/** How many keys are remembered at once. Only keys that exist are, so nobody outside can fill it. */
const MAX_KNOWN = 10_000;

/**
 * How many keys that are not known may be looked up at once. Anybody can make up keys that look right: beyond this many the
 * next one is refused at once. Keys that are known have lookups of their own.
 */
const MAX_LOOKUPS = 1_000;

/** A key that the store confirmed. Times are those of `performance.now()`, in milliseconds. */
export interface CachedApiKey {
  readonly hash: string;
  readonly caller: Caller;
  /** When it is to be looked up again, if it is used: until then nobody has to be asked. Never later than `until`. */
  refreshAt: number;
  /** Until when it may be used without waiting for the store; never later than its expiry. */
  until: number;
  /** Until when it may be used if the store is away. */
  untilAway: number;
}

/**
 * Remembers which keys are valid, so that a request need not ask the store: a change there shows here within a second,
 * and a store that is away does not lock out those who are known (ADR 0007).
 */
export class ApiKeyCache {
  private readonly known = new Map<string, CachedApiKey>();
  private readonly missed = new AbsentApiKeyCache();
  private readonly lookups = new Map<string, { readonly askedAt: number; readonly found: Promise<CachedApiKey> }>();
  /** How many of the lookups under way are for keys that were not known. */
  private ofStrangers = 0;

  /** @param used is told of every key that the store confirmed for a request */
  constructor(
    private readonly keys: ApiKeys,
    private readonly used: (id: bigint) => void,
  ) {}

  /**
   * @returns the key, without a promise when it is known
   * @throws UnauthorizedError when the store has no such key, or it is no longer live
   * @throws TooManyLookupsError when the key is not known and too many such keys are being looked up
   */
  find(hash: string): CachedApiKey | Promise<CachedApiKey> {
    const known = this.known.get(hash);
    if (known !== undefined && this.isFresh(known)) return known;
    const now = performance.now();
    if (known === undefined && this.missed.has(hash, now)) throw UnauthorizedError.invalidKey();
    return this.lookUpOnce(hash, now);
  }

  /** Whether a key found before may be used by a request that has just arrived. */
  isFresh(key: CachedApiKey): boolean {
    const now = performance.now();
    if (now >= key.until) return false;
    if (now >= key.refreshAt) this.refresh(key, now);
    return true;
  }

  private refresh(key: CachedApiKey, now: number): void {
    key.refreshAt = Math.min(now + RETRY_AFTER_MS, key.until);
    // What came of it shows at the key; a failure also at the next request that has to wait.
    this.lookUpOnce(key.hash, now).catch(() => undefined);
  }

  /** Requests share a lookup, unless it began too long ago for its answer to count as fresh. */
  private lookUpOnce(hash: string, now: number): Promise<CachedApiKey> {
    const pending = this.lookups.get(hash);
    if (pending !== undefined && now - pending.askedAt < KNOWN_FOR_MS) return pending.found;

    const stranger = this.known.has(hash) ? 0 : 1;
    if (stranger === 1 && this.ofStrangers >= MAX_LOOKUPS) return Promise.reject(new TooManyLookupsError());
    this.ofStrangers += stranger;
    const found = this.lookUp(hash, now).finally(() => {
      this.ofStrangers -= stranger;
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
      const known = isUnavailable(error) ? this.known.get(hash) : undefined;
      const now = performance.now();
      if (known === undefined || now >= known.untilAway) throw error;
      // That the store is away is believed no longer than what it answers: it may be back, and the key revoked.
      known.until = Math.min(now + KNOWN_FOR_MS, known.untilAway);
      known.refreshAt = Math.min(now + RETRY_AFTER_MS, known.until);
      return known;
    }
    if (stored === undefined || !sameHash(stored.hash, hash)) {
      this.forget(hash);
      this.missed.add(hash, askedAt);
      throw UnauthorizedError.invalidKey();
    }
    this.used(stored.id);
    return this.confirm(stored, askedAt);
  }

  /** The age counts from before the query: what it answers may be that old. */
  private confirm(stored: ApiKey, askedAt: number): CachedApiKey {
    const { id, name, hash, expiresAt } = stored;
    const expiry = expiresAt === undefined ? Infinity : performance.now() + (expiresAt.getTime() - Date.now());
    const until = Math.min(askedAt + KNOWN_FOR_MS, expiry);
    const times = {
      refreshAt: Math.min(askedAt + REFRESH_AFTER_MS, until),
      until,
      untilAway: Math.min(askedAt + KNOWN_WHILE_AWAY_MS, expiry),
    };
    const known = this.known.get(hash);
    if (known !== undefined) return Object.assign(known, times);

    const confirmed = { hash, caller: { id: id.toString(), keyName: name, holder: holderOf(stored) }, ...times };
    const [oldest] = this.known.size >= MAX_KNOWN ? this.known.keys() : [];
    if (oldest !== undefined) this.known.delete(oldest);
    this.known.set(hash, confirmed);
    return confirmed;
  }

  /** Connections keep what they were admitted with: it must end for them too. */
  private forget(hash: string): void {
    const known = this.known.get(hash);
    if (known === undefined) return;
    known.refreshAt = known.until = -Infinity;
    this.known.delete(hash);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'kind' in error && error.kind === 'unavailable';
}
