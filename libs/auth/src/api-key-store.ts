import type { ApiKey } from './api-key.js';

/**
 * The store of the API keys, as requests need it. Fails with an error of kind `unavailable` when the store cannot be reached
 * in time.
 */
export abstract class ApiKeys {
  /** The key with this hash, also if it was revoked or has expired: then with its `end`, by the clock of the store. */
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** Stores when keys were last used, by their ids. An unknown id changes nothing, nor does a time before the stored one. */
  abstract markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void>;

  /** The name that loses access first, and when: with the expiry of the last of its live keys. `undefined` if none does. */
  abstract nextExpiry(): Promise<{ readonly name: string; readonly expiresAt: Date } | undefined>;
}

export interface ApiKeyRotation {
  readonly created: ApiKey;
  /** The old keys, which expire at the end of the grace period, or at their own expiry if that is earlier. */
  readonly replaced: readonly ApiKey[];
}

/**
 * Creates, rotates and revokes API keys, for administrators. Every change is one transaction with its audit entry, and changes
 * are made one after the other. Fails with an error of kind `unavailable` when the store cannot be reached.
 */
export abstract class ApiKeyAdministration {
  /** @throws ApiKeyRefusedError if a live key has the name */
  abstract create(key: ApiKey, actor: string): Promise<ApiKey>;

  /** All keys, also expired and revoked keys, ordered by name and then by age. */
  abstract list(): Promise<ApiKey[]>;

  /**
   * Creates a new key for a name, whose old keys expire after `graceMs` at the latest. If `key` has no expiry or no scopes, the
   * new key gets the lifetime or the scopes of the youngest key that it replaces.
   *
   * @throws ApiKeyRefusedError if no live key has the name
   */
  abstract rotate(key: ApiKey, graceMs: number, actor: string): Promise<ApiKeyRotation>;

  /**
   * Revokes all live keys with a name, with immediate effect.
   *
   * @returns the keys that were live before; none if all were already revoked or expired
   * @throws ApiKeyRefusedError if no key ever had the name
   */
  abstract revoke(name: string, actor: string): Promise<ApiKey[]>;
}

/** The state of the keys does not allow the change that an administrator asked for. */
export class ApiKeyRefusedError extends Error {
  readonly kind = 'conflict';
  readonly code = 'conflict';

  static nameInUse(name: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError(
      `A live key has the name ${JSON.stringify(name)} already: rotate it, revoke it, or choose another name`,
    );
  }

  static notLive(name: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError(`No live key has the name ${JSON.stringify(name)}: create one`);
  }

  static unknown(name: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError(`No key has or had the name ${JSON.stringify(name)}`);
  }
}
