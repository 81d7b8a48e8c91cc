/**
 * Parses the date of a header field (RFC 9110, section 5.6.7) as milliseconds since 1970. The result is `NaN` if the text is
 * not a date. `Date.parse` alone accepts `-1` as a year.
 */
export function parseHttpDate(text: string | null): number {
  return text?.endsWith(' GMT') === true ? Date.parse(text) : NaN;
}
