/** Parses JSON like `JSON.parse`, but keeps numbers as their digits: `1.0` differs from `1`, and nothing is rounded. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? { number: source } : value) as (key: string, value: unknown) => unknown) as unknown;
}
