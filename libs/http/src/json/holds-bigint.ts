/** The number of values that are searched: an object with a cycle has no end. */
const MOST_VALUES = 1_000;

/**
 * Whether a value contains a `bigint` at any depth. Also `true` if there are too many values to search. The results of
 * `toJSON` are not searched.
 */
export function mayHoldBigInt(value: unknown): boolean {
  return new Search().finds(value);
}

class Search {
  private left = MOST_VALUES;

  finds(value: unknown): boolean {
    if (typeof value === 'bigint') return true;
    if (typeof value !== 'object' || value === null) return false;
    this.left -= 1;
    if (this.left < 0) return true;
    if (Array.isArray(value)) return value.some((element) => this.finds(element));
    if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return false;
    for (const name in value) if (this.finds((value as Record<string, unknown>)[name])) return true;
    return false;
  }
}
