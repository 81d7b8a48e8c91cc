/** What `JSON.parse` gives, with numbers as their own digits: `1.0` is not `1`, and nothing is rounded. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? { number: source } : value) as (key: string, value: unknown) => unknown) as unknown;
}
