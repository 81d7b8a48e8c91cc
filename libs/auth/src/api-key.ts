import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Why a stored key is refused. */
export type ApiKeyEnd = 'revoked' | 'expired';

/**
 * The form of a scope: lower-case words, separated by colons, as in `orders:write`. At most 64 characters, and not `null`,
 * which MikroORM writes without quotes into a list, so that PostgreSQL reads NULL.
 */
export const API_KEY_SCOPE = /^(?!null$)(?=.{1,64}$)[a-z][a-z0-9_-]*(?::[a-z][a-z0-9_-]*)*$/;

/** A stored API key: its hash, and never the key itself. */
export class ApiKey {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly createdAt!: Date;
  readonly revokedAt?: Date;
  /** The last request that it was accepted for, stored within a minute or so; `undefined` if it has never been used. */
  readonly lastUsedAt?: Date;
  /** The id of the first key of a chain of rotations, which only its keys share; it may be `undefined` for that key itself. */
  readonly lineageId?: bigint;
  /** Why the key is refused, by the clock of the store when it was read; `undefined` if it is live. */
  readonly end?: ApiKeyEnd;

  constructor(
    /** The name of the holder in logs. Several keys may have it: those of rotations are live until their grace periods end. */
    readonly name: string,
    /** Made by {@link hashApiKey}. */
    readonly hash: string,
    /** From this time on the key is refused. Without it the key does not expire. */
    readonly expiresAt?: Date,
    /** What the key may do ({@link API_KEY_SCOPE}). `undefined`: everything. */
    readonly scopes?: readonly string[],
  ) {}
}

// A key is `<prefix>_<random>_<checksum>`, as in `asdev_3kq…_0x9f2c1`: after the prefix 160 random bits in 31 base-36 digits,
// then the CRC-32 of both in 7 such digits.

/** The form of the prefix, which names the environment in which the key is valid. */
export const API_KEY_PREFIX = /^[a-z][a-z0-9]{1,15}$/;

const FORM = /^(?<body>[a-z][a-z0-9]{1,15}_[0-9a-z]{31})_(?<checksum>[0-9a-z]{7})$/;

/** It begins with a character that few texts have, so it is found fast. */
const SECRET_PART = /_[0-9a-z]{31}_[0-9a-z]{7}/gi;

const RANDOM_BYTES = 20;

/** @param prefix of the form {@link API_KEY_PREFIX} */
export function generateApiKey(prefix: string): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(31, '0');
  const body = `${prefix}_${random}`;
  return `${body}_${checksumOf(body)}`;
}

/** Whether `text` has the form and the checksum of a key, so that a mistyped key is refused without a query. */
export function isWellFormedApiKey(text: string): boolean {
  const [, body, checksum] = FORM.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum;
}

/** Makes a key for a client: `secret` is shown once, `stored` is what is kept of it. */
export function newApiKey(prefix: string, name: string, expiresAt?: Date, scopes?: readonly string[]) {
  const secret = generateApiKey(prefix);
  return { secret, stored: new ApiKey(name, hashApiKey(secret), expiresAt, scopes) };
}

/**
 * The SHA-256 of a key as 64 hexadecimal digits. A fast hash, which every request can afford, is enough: keys are random, so a
 * dictionary attack cannot find them.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Compares two hashes of {@link hashApiKey} in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

/**
 * Replaces the secret part of every key in a text by `<key>`, even if its checksum is wrong or it is percent-encoded. A text
 * without a key stays as it is.
 *
 * @param configuredKey a key of any form to hide as well: `BOOTSTRAP_API_KEY`
 */
export function hideApiKeys(text: string, configuredKey?: string): string {
  const keys = configuredKey === undefined ? [SECRET_PART] : [configuredKey, SECRET_PART];
  const hide = (shown: string) => keys.reduce<string>((rest, key) => rest.replaceAll(key, '<key>'), shown);
  const hidden = hide(text);
  // Visible ASCII only: neither a key nor a line of the log needs other characters.
  const decoded = hidden.replace(/%(?:2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/gi, decodeURIComponent);
  return hide(decoded) === decoded ? hidden : hide(decoded);
}

/** Whether {@link hideApiKeys} would hide a key in the text. */
export function holdsApiKey(text: string, configuredKey?: string): boolean {
  return hideApiKeys(text, configuredKey) !== text;
}

function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}
