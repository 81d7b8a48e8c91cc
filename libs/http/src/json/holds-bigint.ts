/** So many values at most are looked at: cycles have no end. */
const MOST_VALUES = 1_000;

/**
 * Whether a `bigint` is among the members of a value, and of theirs: `true` too where there are too many to tell. What
 * `toJSON` would give is not asked for.
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
