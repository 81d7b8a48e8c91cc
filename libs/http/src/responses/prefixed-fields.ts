/** The header fields that contain addresses of the service. */
export const ADDRESS_FIELDS = ['Link', 'Location'] as const;

/** An address that is only a path. An address that begins with two slashes names a host. */
const PATH = /^\/(?!\/)/;

/** The beginning of each link whose address is only a path (RFC 8288, section 3). */
const LINKED_PATH = /(?<before>^|,)(?<blanks>[ \t]*)<(?=\/(?!\/))/g;

/** The value of a header field as clients need it in front of a proxy that removes a prefix from addresses. */
export function prefixedValue(name: string, value: unknown, prefix: string): unknown {
  const known = ADDRESS_FIELDS.find((field) => field.toLowerCase() === name.toLowerCase());
  if (known === undefined) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => prefixedValue(name, one, prefix));
  if (typeof value !== 'string') return value;
  return known === 'Location'
    ? value.replace(PATH, `${prefix}/`)
    : value.replace(LINKED_PATH, (_, before: string, blanks: string) => `${before}${blanks}<${prefix}`);
}

/** The same for a list in which names and values alternate. */
export function prefixedFields(fields: readonly unknown[], prefix: string): unknown[] {
  return fields.map((value, index) =>
    index % 2 === 0 ? value : prefixedValue(String(fields[index - 1]), value, prefix),
  );
}
