/**
 * A date of a header field (RFC 9110, section 5.6.7), in milliseconds since 1970; `NaN` where it is none. `Date.parse` alone
 * takes `-1` for a year.
 */
export function parseHttpDate(text: string | null): number {
  return text?.endsWith(' GMT') === true ? Date.parse(text) : NaN;
}
