/**
 * Whether the value is a text of `min` to `max` characters (Unicode code points).
 *
 * A code point has one or two UTF-16 units. For most texts, and every hostile one, the number of units is enough to
 * decide.
 */
export function hasLength(value: unknown, min: number, max: number): value is string {
  if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  const { length } = Array.from(value);
  return length >= min && length <= max;
}
