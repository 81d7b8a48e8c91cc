import type { ApiKey } from './api-keys.js';

export type ApiKeyAction = 'created' | 'rotated' | 'revoked';

/** A change of the keys, as it is kept for good: who did what to which key, and when. Never a key or its hash. */
export class ApiKeyAuditEntry {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly at!: Date;

  constructor(
    /** Who asked for the change, as they said or as the operating system knows them. */
    readonly actor: string,
    readonly action: ApiKeyAction,
    readonly keyId: bigint,
    readonly keyName: string,
    /** What else there is to know, such as the ids of the keys that a rotation replaces. */
    readonly details: Readonly<Record<string, string | string[]>>,
  ) {}
}

/** What a rotation did. */
export interface ApiKeyRotation {
  readonly created: ApiKey;
  /** The keys that end with the grace, or sooner if they were to. */
  readonly replaced: readonly ApiKey[];
}

/** Which keys to revoke: all live ones of a name, or one. */
export type ApiKeySelection = { readonly name: string } | { readonly id: bigint };

/**
 * The life cycle of the API keys, for their administrators. Every change and its audit entry are one transaction, and
 * changes come one after the other. Fails with an error of kind `unavailable` when the store can't be reached.
 */
export abstract class ApiKeyAdministration {
  /** @throws ApiKeyRefusedError when a live key has the name */
  abstract create(key: ApiKey, actor: string): Promise<ApiKey>;

  /** Every key there is or was, in the order of their names, then of their age. */
  abstract list(): Promise<ApiKey[]>;

  /**
   * Gives a name a new key; those that it has live on for `graceMs`, and never longer than before.
   * Without an expiry in `key` the new one gets the lifetime of the youngest that it replaces.
   *
   * @param expires `false`: the new key does not expire, whatever the one before did
   * @throws ApiKeyRefusedError when no live key has the name
   */
  abstract rotate(key: ApiKey, graceMs: number, actor: string, expires?: boolean): Promise<ApiKeyRotation>;

  /**
   * Ends keys at once.
   *
   * @returns those that were live until now: none when all were revoked or had expired before
   * @throws ApiKeyRefusedError when there never was such a key
   */
  abstract revoke(which: ApiKeySelection, actor: string): Promise<ApiKey[]>;

  /** The latest `limit` changes, the latest first. */
  abstract audit(limit: number): Promise<ApiKeyAuditEntry[]>;
}

/** What an administrator asked for can't be done to the keys as they are. */
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
