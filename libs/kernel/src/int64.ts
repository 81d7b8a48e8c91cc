export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

const CANONICAL_DECIMAL = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** Whether `value` is a bigint that fits a signed 64-bit integer, as PostgreSQL's `bigint` does. */
export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
}

/** Reads an int64 in its one canonical decimal form, so that one thing has one address; `undefined` for every other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!CANONICAL_DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}
