/** The parts of an output that differ from run to run, each with its replacement. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\r/g, ''],
  [/^HTTP\/(?:1\.1|2) (\d+).*$/gm, 'HTTP $1'],
  [/\/shop(?=\/v1\b)/g, ''],
  [/^(X-Request-Id|Date): .*$/gim, '$1: …'],
  [/\b[a-z]{2,16}_(?:(?:[0-9a-z]{4})?…|[0-9a-z]{31}_[0-9a-z]{7}\b)/g, 'KEY'],
  [/\bcursor=[\w-]+/g, 'cursor=…'],
  [/https?:\/\/127\.0\.0\.1:\d+(?:\/shop)?/g, 'ADDRESS'],
  [/https:\/\/api\.animal-store\.example/g, 'ADDRESS'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)?)?/g, 'TIME'],
  [/;t=\d+/g, ';t=…'],
  [/^Retry-After: \d\d$/gim, 'Retry-After: …'],
  [/try again in \d+ s/g, 'try again in … s'],
];

/** Parses JSON like `JSON.parse`, but keeps numbers as their digits: `1.0` differs from `1`, and nothing is rounded. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? { number: source } : value) as (key: string, value: unknown) => unknown) as unknown;
}

function steady(text: string): string {
  return CHANGING.reduce((result, [pattern, value]) => result.replace(pattern, value), text).trim();
}

interface Answer {
  readonly statusLine: string;
  readonly fields: readonly string[];
  readonly body: string;
}

/** A response as printed by `curl --include`. If there are several responses, the last one. */
function answerOf(text: string): Answer {
  const last = text.slice(Math.max(0, text.lastIndexOf('HTTP ')));
  const end = last.indexOf('\n\n');
  const [statusLine = '', ...fields] = (end < 0 ? last : last.slice(0, end)).split('\n');
  return { statusLine, fields: fields.map(lowerName), body: end < 0 ? '' : last.slice(end).trim() };
}

function lowerName(field: string): string {
  return field.replace(/^[^:]*/, (name) => name.toLowerCase());
}

/**
 * The output on a page and the actual output, for `expect(actual).toEqual(shown)`. Parts that differ from run to run are
 * replaced.
 *
 * - `text`: the whole text
 * - `json`: the values, whatever the layout. Numbers keep all digits
 * - `http`: the status line, the body, and the header fields that the page shows
 */
export function comparable(language: string, shown: string, actual: string): { shown: unknown; actual: unknown } {
  const [told, real] = [steady(shown), steady(actual)];
  if (language === 'text') return { shown: told, actual: real };
  if (language === 'json') return { shown: parseExactly(told), actual: parseExactly(real) };
  const [expected, answer] = [answerOf(told), answerOf(real)];
  return {
    shown: { ...expected, body: expected.body && parseExactly(expected.body) },
    actual: {
      ...answer,
      fields: expected.fields.filter((field) => answer.fields.includes(field)),
      body: answer.body && parseExactly(answer.body),
    },
  };
}
