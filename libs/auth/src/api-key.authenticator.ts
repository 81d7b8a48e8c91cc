import { timingSafeEqual } from 'node:crypto';
import { BOOTSTRAP_HOLDER } from './api-key-holder.js';
import { hashApiKey, isWellFormedApiKey, sameHash } from './api-key.js';
import type { ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { ApiKeyCache, type CachedApiKey } from './api-key-cache.js';
import { UnauthorizedError } from './unauthorized.error.js';

/** The scheme is case-insensitive (RFC 9110, section 11.1); the key is visible ASCII without blanks. */
const BEARER = /^bearer +(?<key>[\x21-\x7e]+)$/i;

/** The environment does not change while the process lives. */
const BOOTSTRAP: CachedApiKey = {
  hash: '',
  caller: { id: 'bootstrap', keyName: 'bootstrap', holder: BOOTSTRAP_HOLDER },
  refreshAt: Infinity,
  until: Infinity,
  untilAway: Infinity,
};

/** An `Authorization` header that was good, and the key that it carried. */
interface Admitted {
  readonly header: Buffer;
  readonly key: CachedApiKey;
}

export interface AuthenticationOptions {
  /** A key that is accepted beside the stored ones; from the environment. */
  readonly bootstrapKey?: string | undefined;
}

/** Tells who calls, from the value of the `Authorization` header. */
export class ApiKeyAuthenticator {
  private readonly bootstrapHash: string | undefined;
  private readonly known: ApiKeyCache;
  private readonly onConnection = new WeakMap<object, Admitted>();
  private last: Admitted | undefined;

  /** @param used is told of every key of the store that requests bring, once in a while */
  constructor(
    keys: ApiKeys,
    { bootstrapKey }: AuthenticationOptions = {},
    used: (id: bigint) => void = () => undefined,
  ) {
    this.bootstrapHash = bootstrapKey === undefined ? undefined : hashApiKey(bootstrapKey);
    this.known = new ApiKeyCache(keys, used);
  }

  /**
   * @param headers every `Authorization` header of the request; more than one is ambiguous and refused
   * @param connection what the request came by; the header that was admitted on it, and the last one that was admitted at
   *   all, need no proof again while their keys are known
   * @returns the caller, without a promise when the key is known already
   * @throws UnauthorizedError when the key is missing, malformed, or none of ours
   * @throws TooManyLookupsError when the key is not known and too many such keys are being looked up
   */
  authenticate(headers: readonly string[], connection?: object): Caller | Promise<Caller> {
    const [header] = headers;
    if (header === undefined) throw UnauthorizedError.missingKey();
    if (headers.length > 1) throw UnauthorizedError.invalidKey();

    const sent = Buffer.from(header, 'latin1');
    // Few keys do most of the work, and the last one is at hand where those of hundreds of connections are not.
    const caller =
      this.callerBefore(this.last, sent) ?? this.callerBefore(connection && this.onConnection.get(connection), sent);
    if (caller !== undefined) return caller;

    const admission = this.admit(header);
    const remember = (key: CachedApiKey): Caller => {
      this.last = { header: sent, key };
      if (connection !== undefined) this.onConnection.set(connection, this.last);
      return key.caller;
    };
    return admission instanceof Promise ? admission.then(remember) : remember(admission);
  }

  /** Who sent this header before, if it is the same one and its key may still be used. */
  private callerBefore(admitted: Admitted | undefined, sent: Buffer): Caller | undefined {
    if (admitted === undefined || !isSame(admitted.header, sent)) return undefined;
    if (performance.now() >= admitted.key.refreshAt && !this.known.isFresh(admitted.key)) return undefined;
    this.last = admitted;
    return admitted.key.caller;
  }

  private admit(header: string): CachedApiKey | Promise<CachedApiKey> {
    const key = BEARER.exec(header)?.groups?.['key'];
    if (key === undefined) throw UnauthorizedError.invalidKey();

    const hash = hashApiKey(key);
    if (this.bootstrapHash !== undefined && sameHash(hash, this.bootstrapHash)) return BOOTSTRAP;
    if (!isWellFormedApiKey(key)) throw UnauthorizedError.invalidKey();
    return this.known.find(hash);
  }
}

/** Compares in constant time; only the lengths may be learnt from it. */
function isSame(header: Buffer, sent: Buffer): boolean {
  return header.length === sent.length && timingSafeEqual(header, sent);
}
