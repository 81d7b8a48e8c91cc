/** The number of items of a page if the request does not set `limit`. */
export const DEFAULT_LIMIT = 20;

export const MIN_LIMIT = 1;
export const MAX_LIMIT = 100;

/** Plain decimal digits only: `Number()` would also accept `0x10`, `1e1` and ` 5`. */
const DIGITS = /^[1-9][0-9]{0,8}$/;

/** @returns what `limit` must be, if the value is not a valid limit */
export function limitRule(value: unknown): string | undefined {
  return typeof value === 'string' && DIGITS.test(value) && Number(value) <= MAX_LIMIT
    ? undefined
    : `must be an integer between ${MIN_LIMIT} and ${MAX_LIMIT}, written once in plain decimal digits`;
}

/** The error message for an invalid `limit`. */
export const INVALID_LIMIT = `limit ${limitRule('') ?? ''}`;
