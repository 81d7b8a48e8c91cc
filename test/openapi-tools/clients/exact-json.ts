// JSON in which every 64-bit integer is a bigint, exact both ways.
// Node 22, Chrome 114, Firefox 135, Safari 18.4 and later have what it needs; TypeScript 6 does not know it yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** The members that the OpenAPI document declares as int64. */
const INT64 = new Set(['id', 'categoryId']);

export function parseExactly(text: string): unknown {
  return JSON.parse(text, (name, value: unknown, context?: { source?: string }) =>
    INT64.has(name) && typeof value === 'number' ? BigInt(context?.source ?? value) : value,
  );
}

export function stringifyExactly(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
  );
}
