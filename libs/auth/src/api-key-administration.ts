import type { ApiKeyAuditEntry } from './api-key-audit-entry.js';
import type { ApiKey } from './stored-api-key.js';

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
   * If `key` has no expiry, the new key gets the lifetime of the youngest key that it replaces.
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

  /** The last `limit` changes, newest first. */
  abstract audit(limit: number): Promise<ApiKeyAuditEntry[]>;
}
