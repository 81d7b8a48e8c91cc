import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Why a stored key is refused. */
export type ApiKeyEnd = 'revoked' | 'expired';

/** The form of a scope: lower-case words, separated by colons, as in `orders:write`. At most 64 characters. */
export const API_KEY_SCOPE = /^(?=.{1,64}$)[a-z][a-z0-9_-]*(?::[a-z][a-z0-9_-]*)*$/;

/** A stored API key: its hash, and never the key itself. */
export class ApiKey {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly createdAt!: Date;
  readonly revokedAt?: Date;
  /** The last request that it was accepted for, stored within a minute or so; `undefined` if it has never been used. */
  readonly lastUsedAt?: Date;
  /**
   * The id of the first key of a chain of rotations. All keys of the chain share it, and no other key has it. Assigned by the
   * store; it may be `undefined` for the first key itself.
   */
  readonly lineageId?: bigint;
  /** Only in results of a lookup: why the key is refused, by the clock of the store; `undefined` if the key is live. */
  readonly end?: ApiKeyEnd;

  constructor(
    /** The name of the holder in logs. Several keys may have it: those of rotations are live until their grace periods end. */
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

  stateAt(now: Date): 'active' | ApiKeyEnd {
    if (this.revokedAt !== undefined) return 'revoked';
    return this.expiresAt === undefined || this.expiresAt > now ? 'active' : 'expired';
  }

  /** Whether the key is neither revoked nor expired. */
  isLiveAt(now: Date): boolean {
    return this.stateAt(now) === 'active';
  }
}

/** The form of the first part of a key, which names the environment in which it is valid. */
export const API_KEY_PREFIX = /^[a-z][a-z0-9]{1,15}$/;

/** The parts of a key: `<prefix>_<random>_<checksum>`, as in `asdev_3kq…_0x9f2c1`. */
const FORM = /^(?<body>[a-z][a-z0-9]{1,15}_[0-9a-z]{31})_(?<checksum>[0-9a-z]{7})$/;

/** The random bytes of a key: 160 bits, which 31 base-36 digits can hold. They cannot be guessed. */
const RANDOM_BYTES = 20;

/** The random characters in a hint: 20 bits, so 140 bits stay secret. */
const HINT_LENGTH = 4;

/** A part of every key. Nearly all texts lack it, and that is found fast. */
const MIDDLE = /_[0-9a-z]{31}_/i;

/** Makes a new key: a prefix ({@link API_KEY_PREFIX}), 160 random bits, and a CRC-32 of both. */
export function generateApiKey(prefix: string): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(31, '0');
  const body = `${prefix}_${random}`;
  return `${body}_${checksumOf(body)}`;
}

/** Whether `text` has the form of a key and a correct checksum. So a mistyped key is refused without a query. */
export function isWellFormedApiKey(text: string): boolean {
  const parts = FORM.exec(text)?.groups;
  return parts?.['body'] !== undefined && checksumOf(parts['body']) === parts['checksum'];
}

/** The part of a key that may be shown: the prefix and the first 4 of the 31 random characters, as in `asdev_3kq9`. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + HINT_LENGTH);
}

/**
 * The SHA-256 of a key as 64 hexadecimal digits: the form in which keys are stored. A fast hash is enough, because keys are
 * random and so cannot be found by a dictionary attack. Every request can afford it.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Compares two hashes of {@link hashApiKey} in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

/**
 * Replaces every key in a text by `<key>`, for texts that contain input of a user: also keys with a wrong checksum, and keys that
 * are percent-encoded. A text without a key stays as it is.
 *
 * @param configuredKey a key of any form to hide as well: `BOOTSTRAP_API_KEY`
 */
export function hideApiKeys(text: string, configuredKey?: string): string {
  const shown = withoutKeys(text, configuredKey);
  const decoded = decodeVisible(shown);
  const hidden = withoutKeys(decoded, configuredKey);
  return hidden === decoded ? shown : hidden;
}

/** Whether {@link hideApiKeys} would hide a key in the text. */
export function holdsApiKey(text: string, configuredKey?: string): boolean {
  return hideApiKeys(text, configuredKey) !== text;
}

function withoutKeys(text: string, configuredKey: string | undefined): string {
  const known = configuredKey === undefined ? text : text.replaceAll(configuredKey, '<key>');
  return MIDDLE.test(known) ? known.replace(/[a-z][a-z0-9]{1,15}_[0-9a-z]{31}_[0-9a-z]{7}/gi, '<key>') : known;
}

/** Decodes the visible ASCII characters that are percent-encoded: a key has no others, and a line of a log needs no others. */
function decodeVisible(text: string): string {
  return text.replace(/%(?:2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/gi, (code) =>
    String.fromCharCode(parseInt(code.slice(1), 16)),
  );
}

/** The CRC-32 of a key without its checksum, as 7 base-36 digits. */
function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}
