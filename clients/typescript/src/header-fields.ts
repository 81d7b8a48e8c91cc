import type { HeaderFields } from './platform.js';

/** Reads the values of header fields. */

/**
 * A link `<address>`, or a parameter `; name="value"` of the link before it. The parts of the pattern never match the same
 * characters, and a quotation that does not end is taken whole: so the time is linear in the length of the text.
 */
const LINK_OR_PARAMETER =
  /<(?<address>[^<>]*)>|;\s*(?<name>[^\s;,="<>]+)\s*(?:=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"?|(?<word>[^\s;,"<>]*)))?/g;

/** The address of the link with this relation (RFC 8288), or `undefined` if there is no such link. */
export function linkOf(headers: HeaderFields, relation: string): string | undefined {
  let address: string | undefined;
  let hasRelation = false;
  for (const { groups = {} } of (headers.get('link') ?? '').matchAll(LINK_OR_PARAMETER)) {
    if (groups['address'] !== undefined) {
      address = groups['address'];
      hasRelation = false;
    } else if (!hasRelation && groups['name']?.toLowerCase() === 'rel') {
      // Only the first relation of a link counts.
      hasRelation = true;
      const relations = (groups['quoted'] ?? groups['word'] ?? '').toLowerCase().split(/\s+/);
      if (relations.includes(relation)) return address;
    }
  }
  return undefined;
}

/**
 * Parses the date of a header field (RFC 9110, section 5.6.7) as milliseconds since 1970. The result is `NaN` if the text is
 * not a date. `Date.parse` alone accepts `-1` as a year.
 */
export function parseHttpDate(text: string | null): number {
  return text?.endsWith(' GMT') === true ? Date.parse(text) : NaN;
}

/**
 * The wait that `Retry-After` asks for, in milliseconds. The value is seconds or a date (RFC 9110, section 10.2.3). A date is
 * compared with the `Date` of the response, or with the local clock if the response has no `Date`. The result is `undefined` if
 * the header field is missing or invalid.
 */
export function retryAfterOf(headers: HeaderFields, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const wait = parseHttpDate(text) - (parseHttpDate(headers.get('date')) || now);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** How many requests the API key may still send. */
export interface RateLimit {
  /** The number of requests in each period. */
  readonly limit: number;
  /** The number of requests that are left in this period. */
  readonly remaining: number;
  /** The time until the next period begins, in milliseconds. */
  readonly reset: number;
}

/** The limit in `RateLimit-Policy` and `RateLimit`, or `undefined` if the service states none. */
export function rateLimitOf(headers: HeaderFields): RateLimit | undefined {
  const parameter = (field: string, name: string) =>
    Number(new RegExp(`;\\s*${name}=([0-9]+)`).exec(headers.get(field) ?? '')?.[1]);
  const [limit, remaining] = [parameter('ratelimit-policy', 'q'), parameter('ratelimit', 'r')];
  const reset = parameter('ratelimit', 't') * 1_000;
  return limit + remaining + reset >= 0 ? { limit, remaining, reset } : undefined;
}
