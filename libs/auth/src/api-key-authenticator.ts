import { timingSafeEqual } from 'node:crypto';
import { ApiKeyCache, type CachedApiKey } from './api-key-cache.js';
import { hashApiKey, isWellFormedApiKey, sameHash } from './api-key.js';
import type { ApiKeys } from './api-key-store.js';
import { BOOTSTRAP_HOLDER, type Caller, UnauthorizedError } from './caller.js';

/** Which keys are accepted. */
export interface AuthenticationOptions {
  /** A key from the environment that is accepted in addition to the stored keys. */
  readonly bootstrapKey?: string | undefined;
}

/** The scheme is case-insensitive (RFC 9110, section 11.1); the key is visible ASCII without blanks. */
const BEARER = /^bearer +(?<key>[\x21-\x7e]+)$/i;

/** Never refreshed, because the environment does not change while the process runs. */
const BOOTSTRAP: CachedApiKey = {
  id: undefined,
  hash: '',
  caller: { id: 'bootstrap', keyName: 'bootstrap', holder: BOOTSTRAP_HOLDER, scopes: undefined },
  refreshAt: Infinity,
  until: Infinity,
  untilAway: Infinity,
};

/** A valid `Authorization` header, and the key in it. */
interface Admitted {
  readonly header: Buffer;
  readonly key: CachedApiKey;
}

/** Finds the caller of a request by its `Authorization` header. */
export class ApiKeyAuthenticator {
  private readonly bootstrapHash: string | undefined;
  private readonly known: ApiKeyCache;
  /** Few keys send most requests: this header is not hashed and parsed again while its key is cached. */
  private last: Admitted | undefined;

  /** @param used called with the id of the stored key of every accepted request */
  constructor(
    keys: ApiKeys,
    { bootstrapKey }: AuthenticationOptions = {},
    private readonly used: (id: bigint) => void = () => undefined,
  ) {
    this.bootstrapHash = bootstrapKey === undefined ? undefined : hashApiKey(bootstrapKey);
    this.known = new ApiKeyCache(keys);
  }

  /**
   * @param headers every `Authorization` header of the request; more than one is ambiguous and refused
   * @returns the caller; a promise only if the key must be looked up, because a promise for every request costs too much
   * @throws UnauthorizedError if the key is missing, malformed or unknown
   * @throws TooManyLookupsError if the key is not cached and too many such lookups are in flight
   */
  authenticate(headers: readonly string[]): Caller | Promise<Caller> {
    const [header] = headers;
    if (header === undefined) throw UnauthorizedError.missingKey();
    if (headers.length > 1) throw UnauthorizedError.invalidKey();

    const sent = Buffer.from(header, 'latin1');
    if (this.last !== undefined && isSame(this.last.header, sent) && this.isFresh(this.last.key))
      return this.accept(this.last.key);

    const admission = this.admit(header);
    const remember = (key: CachedApiKey): Caller => {
      this.last = { header: sent, key };
      return this.accept(key);
    };
    return admission instanceof Promise ? admission.then(remember) : remember(admission);
  }

  private accept({ id, caller }: CachedApiKey): Caller {
    if (id !== undefined) this.used(id);
    return caller;
  }

  private isFresh(key: CachedApiKey): boolean {
    return performance.now() < key.refreshAt || this.known.isFresh(key);
  }

  private admit(header: string): CachedApiKey | Promise<CachedApiKey> {
    const key = BEARER.exec(header)?.groups?.['key'];
    if (key === undefined) throw refusalOf(header);

    const hash = hashApiKey(key);
    if (this.bootstrapHash !== undefined && sameHash(hash, this.bootstrapHash)) return BOOTSTRAP;
    if (!isWellFormedApiKey(key)) throw UnauthorizedError.invalidKey();
    return this.known.find(hash);
  }
}

/**
 * Credentials of another scheme than Bearer, or without any, as a bare key. A scheme is said again to the client, so it has the
 * length and the characters of one; what may be a key is not.
 */
const NO_BEARER = /^(?:(?!bearer )(?<scheme>[a-z][a-z0-9-]{0,19}) +[^ ]|(?!bearer)[\x21-\x7e]+$)/i;

/** The error for a header without a key behind `Bearer`. */
function refusalOf(header: string): UnauthorizedError {
  const found = NO_BEARER.exec(header);
  return found === null ? UnauthorizedError.invalidKey() : UnauthorizedError.wrongScheme(found.groups?.['scheme']);
}

/** Compares in constant time: the duration reveals only the lengths. */
function isSame(header: Buffer, sent: Buffer): boolean {
  return header.length === sent.length && timingSafeEqual(header, sent);
}
