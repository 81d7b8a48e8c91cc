/** The state of an API key at a time; `expiring`: still valid, but for less than {@link EXPIRING_MS}. */
export type ApiKeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** How long before its expiry a key counts as expiring: long enough to rotate it in working hours. */
export const EXPIRING_MS = 7 * 24 * 3_600_000;
