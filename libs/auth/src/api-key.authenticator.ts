import { hashApiKey, isWellFormedApiKey, sameBytes, sameHash } from './api-key.js';
import type { ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { KnownApiKeys, type KnownApiKey } from './known-api-keys.js';
import { UnauthorizedError } from './unauthorized.error.js';

/** The scheme is case-insensitive (RFC 9110, section 11.1); the key is visible ASCII without blanks. */
const BEARER = /^bearer +(?<key>[\x21-\x7e]+)$/i;

/** The environment does not change while the process lives. */
const BOOTSTRAP: KnownApiKey = {
  hash: '',
  caller: { id: 'bootstrap', keyName: 'bootstrap' },
  refreshAt: Infinity,
  until: Infinity,
  untilAway: Infinity,
};

export interface AuthenticationOptions {
  /** A key that is accepted beside the stored ones; from the environment. */
  readonly bootstrapKey?: string | undefined;
}

/** Tells who calls, from the value of the `Authorization` header. */
export class ApiKeyAuthenticator {
  private readonly bootstrapHash: string | undefined;
  private readonly known: KnownApiKeys;
  private readonly onConnection = new WeakMap<object, { readonly header: Buffer; readonly key: KnownApiKey }>();

  /** @param used is told of every key of the store that requests bring, once in a while */
  constructor(
    keys: ApiKeys,
    { bootstrapKey }: AuthenticationOptions = {},
    used: (id: bigint) => void = () => undefined,
  ) {
    this.bootstrapHash = bootstrapKey === undefined ? undefined : hashApiKey(bootstrapKey);
    this.known = new KnownApiKeys(keys, used);
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
    if (before !== undefined && sameBytes(before.header, sent) && this.known.mayUse(before.key))
      return before.key.caller;

    const admission = this.admit(header);
    const remember = (key: KnownApiKey): Caller => {
      if (connection !== undefined) this.onConnection.set(connection, { header: sent, key });
      return key.caller;
    };
    return admission instanceof Promise ? admission.then(remember) : remember(admission);
  }

  private admit(header: string): KnownApiKey | Promise<KnownApiKey> {
    const key = BEARER.exec(header)?.groups?.['key'];
    if (key === undefined) throw UnauthorizedError.invalidKey();

    const hash = hashApiKey(key);
    if (this.bootstrapHash !== undefined && sameHash(hash, this.bootstrapHash)) return BOOTSTRAP;
    if (!isWellFormedApiKey(key)) throw UnauthorizedError.invalidKey();
    return this.known.find(hash);
  }
}
