/**
 * Where the 64-bit integers of a value are: `{ id: 'int64', lines: [{ sku: 'int64' }] }`, members without any left out.
 * Made from the type, so that a declaration that misses one, or names another, does not compile. `never` where there are none.
 */
export type Int64In<T> = T extends bigint
  ? 'int64'
  : T extends readonly (infer Element)[]
    ? [Int64In<Element>] extends [never]
      ? never
      : readonly [Int64In<Element>]
    : T extends object
      ? NonEmpty<{
          readonly [Name in keyof T as [Int64In<T[Name]>] extends [never] ? never : Name]-?: Int64In<T[Name]>;
        }>
      : never;

type NonEmpty<T> = keyof T extends never ? never : T;

/** The same at run time. */
export type Int64Places = 'int64' | readonly [Int64Places] | { readonly [name: string]: Int64Places } | undefined;

/** What may be sent for a value: a 64-bit integer also as a safe integer, an optional member also as `undefined`. */
export type Sent<T> = T extends bigint
  ? bigint | number
  : T extends readonly (infer Element)[]
    ? readonly Sent<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: Sent<T[Name]> | (object extends Pick<T, Name> ? undefined : never) }
      : T;

/** The digits of a 64-bit integer. @throws TypeError when a number has lost digits, or is no integer */
export function digitsOf(value: bigint | number): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new TypeError(`${value} is no exact integer: write ids beyond 2^53 as bigint`);
  return String(value);
}

/**
 * Replaces integers, in the value itself; what stays as it is is not written to.
 *
 * @param replace called with what is at the places of int64, but for what is absent
 * @param elsewhere called with every bigint at other places
 * @returns the value, another one only where it is an integer itself
 */
export function replaceInt64(
  value: unknown,
  places: Int64Places,
  replace: (value: unknown) => unknown,
  elsewhere: (value: bigint) => unknown,
): unknown {
  if (places === 'int64') return value === undefined || value === null ? value : replace(value);
  if (typeof value === 'bigint') return elsewhere(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const before = members[name];
    const ofMember = (places as Record<string, Int64Places> | undefined)?.[Array.isArray(value) ? '0' : name];
    const after = replaceInt64(before, ofMember, replace, elsewhere);
    if (after !== before) members[name] = after;
  }
  return value;
}
