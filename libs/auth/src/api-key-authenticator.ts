import type { ApiKeys } from './api-key-store.js';
import type { ApiKeyUsage } from './api-key-usage.js';
import { hashApiKey, isWellFormedApiKey, sameHash, type ApiKey } from './api-key.js';
import { holderOf, TooManyLookupsError, UnauthorizedError, type Caller } from './caller.js';

/** How long a result is used, in milliseconds: a revoked key must be refused within 1 s, and a lookup may take 0.1 s of it. */
const FRESH_MS = 900;

/** How long after a lookup the next use of the key starts another one in the background, in milliseconds. */
const REFRESH_AFTER_MS = 400;

/**
 * How long a key is accepted while the store is unavailable, in milliseconds: longer than a fail-over takes, but limited,
 * because an instance that alone cannot reach the store learns of no revocation.
 */
const USED_WHILE_UNAVAILABLE_MS = 10 * 60_000;

/** Only keys of the store are known, so strangers cannot fill the map. */
const MAX_KNOWN = 10_000;

/** At a time. Anybody can make up well-formed keys, so further unknown ones are refused. */
const MAX_LOOKUPS = 1_000;

/** A key that the store confirmed. Times are values of `performance.now()`. */
interface KnownApiKey {
  readonly id: bigint;
  readonly caller: Caller;
  /** After this time the key is refused, even if the store is unavailable. */
  readonly usableUntil: number;
  /** When the lookup began whose result this is, or when one failed because the store is unavailable. */
  lookedUpAt: number;
}

interface Lookup {
  readonly startedAt: number;
  readonly found: Promise<KnownApiKey>;
}

const BOOTSTRAP: Caller = { id: 'bootstrap', keyName: 'bootstrap', holder: 'bootstrap', scopes: undefined };

/** Finds the caller of a request by its `Authorization` header. Stored keys are cached for less than a second (ADR 0007). */
export class ApiKeyAuthenticator {
  private readonly bootstrapHash: string | undefined;
  private readonly known = new Map<string, KnownApiKey>();
  private readonly lookups = new Map<string, Lookup>();

  /**
   * @param usage is told of every accepted request with a key of the store
   * @param bootstrapKey is accepted in addition to the keys of the store
   */
  constructor(
    private readonly keys: ApiKeys,
    private readonly usage: Pick<ApiKeyUsage, 'note'>,
    bootstrapKey?: string,
  ) {
    this.bootstrapHash = bootstrapKey === undefined ? undefined : hashApiKey(bootstrapKey);
  }

  /**
   * @param headers every `Authorization` header of the request; more than one is ambiguous and refused
   * @returns the caller; a promise only if the store must be asked, because a promise for every request costs too much
   * @throws UnauthorizedError if the key is missing, malformed, unknown, expired or revoked
   * @throws TooManyLookupsError if the key is unknown and too many keys are being looked up
   */
  authenticate(headers: readonly string[]): Caller | Promise<Caller> {
    const key = keyIn(headers);
    const hash = hashApiKey(key);
    if (this.bootstrapHash !== undefined && sameHash(hash, this.bootstrapHash)) return BOOTSTRAP;

    const now = performance.now();
    const known = this.known.get(hash);
    if (known === undefined && !isWellFormedApiKey(key)) throw UnauthorizedError.invalidKey();
    if (known === undefined || now - known.lookedUpAt >= FRESH_MS || now >= known.usableUntil)
      return this.lookUp(hash, now).then((found) => this.accept(found));
    // A failure is met by the next request that must wait.
    if (now - known.lookedUpAt >= REFRESH_AFTER_MS) this.lookUp(hash, now).catch(() => undefined);
    return this.accept(known);
  }

  private accept({ id, caller }: KnownApiKey): Caller {
    this.usage.note(id);
    return caller;
  }

  /** Concurrent requests share a lookup, unless it began so long ago that its result would not be fresh. */
  private lookUp(hash: string, now: number): Promise<KnownApiKey> {
    const running = this.lookups.get(hash);
    if (running !== undefined && now - running.startedAt < FRESH_MS) return running.found;
    if (this.lookups.size >= MAX_LOOKUPS && !this.known.has(hash)) return Promise.reject(new TooManyLookupsError());
    const lookup = {
      startedAt: now,
      found: this.ask(hash, now).finally(() => {
        if (this.lookups.get(hash) === lookup) this.lookups.delete(hash);
      }),
    };
    this.lookups.set(hash, lookup);
    return lookup.found;
  }

  /** @param askedAt the result is as old as this, because the key may be revoked while the store is asked */
  private async ask(hash: string, askedAt: number): Promise<KnownApiKey> {
    let stored: ApiKey | undefined;
    try {
      stored = await this.keys.findByHash(hash);
    } catch (error) {
      return this.lastResult(hash, error);
    }
    if (stored === undefined || !sameHash(stored.hash, hash) || stored.end !== undefined) {
      this.known.delete(hash);
      throw UnauthorizedError.invalidKey(stored?.end && stored);
    }
    return this.remember(hash, stored, askedAt);
  }

  private remember(hash: string, stored: ApiKey, askedAt: number): KnownApiKey {
    const { id, name, expiresAt, scopes } = stored;
    const expiry = expiresAt === undefined ? Infinity : performance.now() + expiresAt.getTime() - Date.now();
    const known = {
      id,
      caller: { id: id.toString(), keyName: name, holder: holderOf(stored), scopes },
      usableUntil: Math.min(askedAt + USED_WHILE_UNAVAILABLE_MS, expiry),
      lookedUpAt: askedAt,
    };
    this.known.set(hash, known);
    const [oldest = hash] = this.known.keys();
    if (this.known.size > MAX_KNOWN) this.known.delete(oldest);
    return known;
  }

  /** The result of the last lookup, while the store is unavailable. @throws the error of the store if there is none */
  private lastResult(hash: string, error: unknown): KnownApiKey {
    const known = this.known.get(hash);
    const now = performance.now();
    const isUnavailable = (error as { readonly kind?: unknown } | undefined)?.kind === 'unavailable';
    if (known === undefined || now >= known.usableUntil || !isUnavailable) throw error;
    // When the store is available again, a change has effect as soon as otherwise.
    known.lookedUpAt = now;
    return known;
  }
}

/** The scheme is case-insensitive (RFC 9110, section 11.1); the key is visible ASCII without blanks. */
const BEARER = /^bearer +(?<key>[\x21-\x7e]+)$/i;

/** @throws UnauthorizedError */
function keyIn([header, ...others]: readonly string[]): string {
  const isOne = others.length === 0;
  if (header === undefined || (isOne && !/^bearer/i.test(header))) throw UnauthorizedError.missingKey();
  const key = isOne ? BEARER.exec(header)?.groups?.['key'] : undefined;
  if (key === undefined) throw UnauthorizedError.invalidKey();
  return key;
}
