/** The state of an API key at a time; `expiring`: still valid, but for less than {@link EXPIRING_MS}. */
export type ApiKeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** How long before its expiry a key counts as expiring: long enough to rotate it in working hours. */
export const EXPIRING_MS = 7 * 24 * 3_600_000;

/** A stored API key: its hash, and never the key itself. */
export class ApiKey {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly createdAt!: Date;
  readonly revokedAt?: Date;
  /** To the minute; `undefined` if the key has never been used. */
  readonly lastUsedAt?: Date;
  /**
   * The id of the first key of a chain of rotations. All keys of the chain share it, and no other key has it. Assigned by the
   * store. `undefined` if the first key was created before lineages existed.
   */
  readonly lineageId?: bigint;

  constructor(
    /** The name of the holder in logs. Several keys may have it; only one of them is live, or two in the grace period of a rotation. */
    readonly name: string,
    /** {@link hashApiKey} of the key. */
    readonly hash: string,
    /** From this time on the key is refused. Without it the key does not expire. */
    readonly expiresAt?: Date,
    /** {@link hintOfApiKey}, to distinguish keys in a list. */
    readonly hint?: string,
  ) {}

  stateAt(now: Date): ApiKeyState {
    if (this.revokedAt !== undefined) return 'revoked';
    if (this.expiresAt === undefined) return 'active';
    const left = this.expiresAt.getTime() - now.getTime();
    if (left <= 0) return 'expired';
    return left < EXPIRING_MS ? 'expiring' : 'active';
  }

  /** Whether the key is neither revoked nor expired. */
  isLiveAt(now: Date): boolean {
    return ['active', 'expiring'].includes(this.stateAt(now));
  }
}

/**
 * The store of the API keys, as requests need it. {@link ApiKeyAdministration} changes keys.
 * Fails with an error of kind `unavailable` when the store cannot be reached.
 */
export abstract class ApiKeys {
  /** The key with this hash, if it is live by the clock of the store. */
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** As {@link findByHash}, for a key that was found before. It does not wait behind lookups of unknown keys. */
  abstract findAgain(hash: string): Promise<ApiKey | undefined>;

  /** Notes that these keys were used within the last minute. Unknown ids are ignored. */
  abstract markUsed(ids: readonly bigint[]): Promise<void>;

  /** Stores the key in the place of all keys with its name. It continues the lineage of a live key with that name. */
  abstract put(key: ApiKey): Promise<void>;
}
