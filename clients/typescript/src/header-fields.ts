/** Reads the values of header fields. */

/** A link whose relation is its first parameter, as the service writes links. */
const LINK = /<(?<address>[^<>]*)>\s*;\s*rel="?(?<relations>[\w-]+(?: [\w-]+)*)/gi;

/** The address of the link with this relation (RFC 8288), or `undefined` if there is no such link. */
export function linkOf(headers: Headers, relation: string): string | undefined {
  for (const { groups = {} } of (headers.get('link') ?? '').matchAll(LINK))
    if (groups['relations']?.toLowerCase().split(' ').includes(relation)) return groups['address'];
  return undefined;
}

/**
 * The time of a date as HTTP writes it (RFC 9110, section 5.6.7), in milliseconds since 1970, or `NaN` if the text is not a
 * date. `Date.parse` alone accepts `-1` as a year.
 */
export function parseHttpDate(text: string | null): number {
  return text?.endsWith(' GMT') === true ? Date.parse(text) : NaN;
}

/**
 * The wait that `Retry-After` asks for, in milliseconds. The value is seconds or a date (RFC 9110, section 10.2.3). A date is
 * compared with the `Date` of the response, or with the local clock if the response has no `Date`. The result is `undefined` if
 * the header field is missing or invalid.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const wait = parseHttpDate(text) - (parseHttpDate(headers.get('date')) || now);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
