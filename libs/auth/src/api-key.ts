/** The state of an API key at a time; `expiring`: still valid, but for less than a week. */
export type ApiKeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** Why a stored key is refused. */
export type ApiKeyEnd = 'revoked' | 'expired';

/** The form of a scope: lower-case words, separated by colons, as in `orders:write`. At most 64 characters. */
export const API_KEY_SCOPE = /^(?=.{1,64}$)[a-z][a-z0-9_-]*(?::[a-z][a-z0-9_-]*)*$/;

/** How long before its expiry a key counts as expiring: long enough to rotate it in working hours. */
const EXPIRING_MS = 7 * 24 * 3_600_000;

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
  /** Only in results of a lookup: why the key is refused, by the clock of the store; `undefined` if the key is live. */
  readonly end?: ApiKeyEnd;

  constructor(
    /** The name of the holder in logs. Several keys may have it; only one of them is live, or two in the grace period of a rotation. */
    readonly name: string,
    /** The hash (`hashApiKey`) of the key. */
    readonly hash: string,
    /** From this time on the key is refused. Without it the key does not expire. */
    readonly expiresAt?: Date,
    /** The hint (`hintOfApiKey`), to distinguish keys in a list. */
    readonly hint?: string,
    /** What the key may do ({@link API_KEY_SCOPE}). `undefined`: everything, as all keys before there were scopes. */
    readonly scopes?: readonly string[],
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
