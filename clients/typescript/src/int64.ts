/**
 * The places of the 64-bit integers in a value, for example `{ id: 'int64', lines: [{ sku: 'int64' }] }`. Members without
 * 64-bit integers are left out; `'int64?'` is one that may be absent or null. The type is derived from the type of the value. A
 * declaration with a missing or a wrong place therefore does not compile. The type is `never` if the value has no 64-bit integers.
 */
export type Int64In<T> = T extends bigint
  ? 'int64'
  : T extends readonly (infer Element)[]
    ? [Int64In<Element>] extends [never]
      ? never
      : readonly [Int64In<Element>]
    : T extends object
      ? NonEmpty<{
          readonly [Name in keyof T as [Int64In<T[Name]>] extends [never] ? never : Name]-?: Int64OfMember<T[Name]>;
        }>
      : never;

type Int64OfMember<T> = [Int64In<T>, Extract<T, null | undefined>] extends ['int64', infer Absent]
  ? [Absent] extends [never]
    ? 'int64'
    : 'int64?'
  : Int64In<T>;

type NonEmpty<T> = keyof T extends never ? never : T;

/** The places of the 64-bit integers at run time. */
export type Int64Places =
  'int64' | 'int64?' | readonly [Int64Places] | { readonly [name: string]: Int64Places } | undefined;

/** The type that a caller may send. A 64-bit integer may also be a safe integer. An optional member may be `undefined`. */
export type Sent<T> = T extends bigint
  ? bigint | number
  : T extends readonly (infer Element)[]
    ? readonly Sent<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: Sent<T[Name]> | (object extends Pick<T, Name> ? undefined : never) }
      : T;

/** The digits of a 64-bit integer. @throws TypeError if a number has lost digits or is not an integer */
export function digitsOf(value: bigint | number): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new TypeError(`${value} is no exact integer: write ids beyond 2^53 as bigint`);
  return String(value);
}

/**
 * Replaces integers in the value itself. Unchanged members are not written.
 *
 * @param replace called with each value at a place of an int64, also with an `undefined` or `null` that must not be there
 * @param elsewhere called with every bigint at other places
 * @param name the name of the member that has the value
 * @returns the same object, or the replacement if the value itself is an integer
 */
export function replaceInt64(
  value: unknown,
  places: Int64Places,
  replace: (value: unknown, name: string) => unknown,
  elsewhere: (value: bigint) => unknown,
  name = 'the value',
): unknown {
  if (places === 'int64') return replace(value, name);
  if (places === 'int64?') return value === undefined || value === null ? value : replace(value, name);
  if (typeof value === 'bigint') return elsewhere(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  const isArray = Array.isArray(value);
  // Also those that are declared and missing.
  const names = new Set([...Object.keys(members), ...Object.keys(isArray ? {} : (places ?? {}))]);
  for (const member of names) {
    const before = members[member];
    const ofMember = (places as Record<string, Int64Places> | undefined)?.[isArray ? '0' : member];
    const after = replaceInt64(before, ofMember, replace, elsewhere, member);
    if (after !== before) members[member] = after;
  }
  return value;
}
