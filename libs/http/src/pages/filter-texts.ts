/** A filter of a query, with its values as they are written in an address. */
export type FilterTexts = readonly (readonly [name: string, ...values: string[]])[];

/**
 * The filters of a query, sorted by name, so that equal queries have equal texts.
 *
 * @throws Error if an address cannot contain a value of that type: it would represent another value, or no filter
 */
export function filterTexts(filters: readonly (readonly [name: string, value: unknown])[]): FilterTexts {
  return filters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, ...string[]] => [
      name,
      ...(Array.isArray(value) ? value : [value]).map(textBy(name)),
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function textBy(name: string): (value: unknown) => string {
  return (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    if (value instanceof Date) return value.toISOString();
    throw new Error(
      `The filter "${name}" of a page must be a text, a number, a boolean, a Date, or a list of them: a cursor is bound to it`,
    );
  };
}
