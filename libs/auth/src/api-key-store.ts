import type { ApiKey } from './api-key.js';

/**
 * The store of the API keys, as requests need it. {@link ApiKeyAdministration} changes keys.
 * Fails with an error of kind `unavailable` when the store cannot be reached; if it was not asked, because too much waits for it,
 * the error has `isOverload`.
 */
export abstract class ApiKeys {
  /** The key with this hash, also if it was revoked or has expired: then with its `end`, by the clock of the store. */
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** Notes when keys were last used, by their ids. A time before the one that is stored changes nothing, nor does an unknown id. */
  abstract markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void>;

  /** Stores the key in the place of all keys with its name. It continues the lineage of a live key with that name. */
  abstract put(key: ApiKey): Promise<void>;

  /**
   * The live key whose name is the first to lose access. A key that was rotated does not count, because a younger key of its name
   * is valid for longer. `undefined` if no name loses access.
   */
  abstract nextExpiry(): Promise<{ readonly name: string; readonly expiresAt: Date } | undefined>;
}

/** The result of a rotation. */
export interface ApiKeyRotation {
  readonly created: ApiKey;
  /** The old keys. They expire at the end of the grace period, or earlier if they had an earlier expiry. */
  readonly replaced: readonly ApiKey[];
}

/** The keys to revoke: all live keys with a name, or one key. */
export type ApiKeySelection = { readonly name: string } | { readonly id: bigint };

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
   * Creates a new key for a name. The old keys of the name expire after `graceMs`, or earlier if they had an earlier expiry.
   * If `key` has no expiry, the new key gets the lifetime of the youngest key that it replaces; if it has no scopes, the scopes
   * of that key.
   *
   * @param expires `false`: the new key does not expire, even if the old key does
   * @throws ApiKeyRefusedError if no live key has the name
   */
  abstract rotate(key: ApiKey, graceMs: number, actor: string, expires?: boolean): Promise<ApiKeyRotation>;

  /**
   * Revokes keys with immediate effect.
   *
   * @returns the keys that were live before; none if all were already revoked or expired
   * @throws ApiKeyRefusedError if no such key ever existed
   */
  abstract revoke(which: ApiKeySelection, actor: string): Promise<ApiKey[]>;
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

  static unknown(which: ApiKeySelection): ApiKeyRefusedError {
    const what = 'name' in which ? `name ${JSON.stringify(which.name)}` : `id ${which.id}`;
    return new ApiKeyRefusedError(`No key has or had the ${what}`);
  }
}
