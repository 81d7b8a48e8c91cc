import { hashApiKey, isWellFormedApiKey, sameBytes, sameHash } from './api-key.js';
import type { ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { UnauthorizedError } from './unauthorized.error.js';

/** How long an answer of the key store may be used, in milliseconds: half of the second within which a revoked key must be refused. */
const KNOWN_FOR_MS = 500;

/** How many keys are remembered at once. Only keys that exist are, so nobody outside can fill it. */
const MAX_KNOWN = 10_000;

/** The scheme is case-insensitive (RFC 9110, section 11.1); the key is visible ASCII without blanks. */
const BEARER = /^bearer +(?<key>[\x21-\x7e]+)$/i;

/** Who a key belongs to, and until when that may be relied on, as `performance.now()` tells the time. */
interface Admission {
  readonly caller: Caller;
  readonly until: number;
}

/** The environment does not change while the process lives. */
const BOOTSTRAP: Admission = { caller: { keyName: 'bootstrap' }, until: Infinity };

export interface AuthenticationOptions {
  /** A key that is accepted beside the stored ones; from the environment. */
  readonly bootstrapKey?: string | undefined;
}

/** Tells who calls, from the value of the `Authorization` header. */
export class ApiKeyAuthenticator {
  private readonly bootstrapHash: string | undefined;
  private readonly known = new Map<string, Admission>();
  private readonly lookups = new Map<string, Promise<Admission>>();
  private readonly onConnection = new WeakMap<object, Admission & { readonly header: Buffer }>();

  constructor(
    private readonly keys: ApiKeys,
    { bootstrapKey }: AuthenticationOptions = {},
  ) {
    this.bootstrapHash = bootstrapKey === undefined ? undefined : hashApiKey(bootstrapKey);
  }

  /**
   * @param headers every `Authorization` header of the request; more than one is ambiguous and refused
   * @param connection what the request came by; one that repeats the header it was admitted with is not asked to prove
   *   it again while the key is known
   * @returns the caller, without a promise when the key is known already
   * @throws UnauthorizedError when the key is missing, malformed, or none of ours
   */
  authenticate(headers: readonly string[], connection?: object): Caller | Promise<Caller> {
    const [header] = headers;
    if (header === undefined) throw UnauthorizedError.missingKey();
    if (headers.length > 1) throw UnauthorizedError.invalidKey();

    const before = connection && this.onConnection.get(connection);
    const sent = Buffer.from(header, 'latin1');
    if (before !== undefined && before.until > performance.now() && sameBytes(before.header, sent))
      return before.caller;

    const admission = this.admit(header);
    const remember = ({ caller, until }: Admission): Caller => {
      if (connection !== undefined) this.onConnection.set(connection, { caller, until, header: sent });
      return caller;
    };
    return admission instanceof Promise ? admission.then(remember) : remember(admission);
  }

  private admit(header: string): Admission | Promise<Admission> {
    const key = BEARER.exec(header)?.groups?.['key'];
    if (key === undefined) throw UnauthorizedError.invalidKey();

    const hash = hashApiKey(key);
    if (this.bootstrapHash !== undefined && sameHash(hash, this.bootstrapHash)) return BOOTSTRAP;
    if (!isWellFormedApiKey(key)) throw UnauthorizedError.invalidKey();

    const known = this.known.get(hash);
    if (known !== undefined && known.until > performance.now()) return known;
    return this.lookUpOnce(hash);
  }

  /** Requests that bring the same key while it is being looked up share the lookup. */
  private lookUpOnce(hash: string): Promise<Admission> {
    let lookup = this.lookups.get(hash);
    if (lookup === undefined) {
      lookup = this.lookUp(hash).finally(() => this.lookups.delete(hash));
      this.lookups.set(hash, lookup);
    }
    return lookup;
  }

  private async lookUp(hash: string): Promise<Admission> {
    // The age counts from before the query: what it answers may be that old.
    const until = performance.now() + KNOWN_FOR_MS;
    this.known.delete(hash);
    const stored = await this.keys.findByHash(hash);
    if (stored === undefined || !sameHash(stored.hash, hash)) throw UnauthorizedError.invalidKey();

    const admission = { caller: { keyName: stored.name }, until };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(hash, admission);
    return admission;
  }
}
