/** What an API key is good for at a moment; `expiring`: still good, but for less than {@link EXPIRING_MS}. */
export type ApiKeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** How long before its end a key counts as expiring: long enough to rotate it in working hours. */
export const EXPIRING_MS = 7 * 24 * 3_600_000;

/** What is kept of an API key: never the key, only its hash. */
export class ApiKey {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly createdAt!: Date;
  readonly revokedAt?: Date;
  /** To the minute; missing when the key has never been used. */
  readonly lastUsedAt?: Date;
  /**
   * Shared by a key and those that it was rotated to, by no other, whatever its name: the id of the first of them.
   * Assigned by the store. Missing: the key, or the first of them, is older than lineages are.
   */
  readonly lineageId?: bigint;

  constructor(
    /** Names the holder in logs. Several keys may have it: only one, but for the grace of a rotation, is live. */
    readonly name: string,
    /** {@link hashApiKey} of the key. */
    readonly hash: string,
    /** From this instant on the key is refused. Missing: it does not expire. */
    readonly expiresAt?: Date,
    /** {@link hintOfApiKey}, to tell keys apart in a list. */
    readonly hint?: string,
  ) {}

  stateAt(now: Date): ApiKeyState {
    if (this.revokedAt !== undefined) return 'revoked';
    if (this.expiresAt === undefined) return 'active';
    const left = this.expiresAt.getTime() - now.getTime();
    if (left <= 0) return 'expired';
    return left < EXPIRING_MS ? 'expiring' : 'active';
  }

  /** Whether the key opens anything: it is neither revoked nor expired. */
  isLiveAt(now: Date): boolean {
    return ['active', 'expiring'].includes(this.stateAt(now));
  }
}

/**
 * Where the API keys are kept, as far as requests need it; {@link ApiKeyAdministration} changes them.
 * Fails with an error of kind `unavailable` when the store can't be reached.
 */
export abstract class ApiKeys {
  /** The key, if it is live by the clock of the store. */
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** The same for a key that was found before: never behind the lookups of those who may bring any key. */
  abstract findAgain(hash: string): Promise<ApiKey | undefined>;

  /** Notes that these keys were used within the last minute. An id that no key has is passed over. */
  abstract markUsed(ids: readonly bigint[]): Promise<void>;

  /** Stores the key under its name, in the place of those that had the name before: of a live one it goes on the lineage. */
  abstract put(key: ApiKey): Promise<void>;
}
