/** JSON before it is written: with every digit, and with texts that `JSON.stringify` would not write. */
export type WireJson = null | boolean | string | bigint | WrittenJson | Reference | readonly WireJson[] | WireObject;

/** A text in the place of a value: `1e999`, `"\ud800"`, half of an array. */
export class WrittenJson {
  constructor(
    readonly text: string,
    /** The value of the text, if the text has one. */
    readonly value?: bigint,
  ) {}

  toString(): string {
    return this.text;
  }
}

/** The id of a resource that is created for the request: the resource of the path parameter with this name. */
export class Reference {
  constructor(readonly name: string) {}

  toString(): string {
    return `the ${this.name} of a new one`;
  }
}

/** Members in their order. A name may occur more than once. */
export class WireObject {
  constructor(readonly members: readonly (readonly [name: string, value: WireJson])[]) {}

  /** Returns a copy with another value of the member at this index. */
  with(index: number, value: WireJson): WireObject {
    return new WireObject(this.members.map((member, at) => (at === index ? [member[0], value] : member)));
  }
}

/** How JSON is written. */
export type Writing = 'plain' | 'spaced' | 'escaped';

/** @param ids the ids that replace references */
export function writeJson(value: WireJson, ids: ReadonlyMap<Reference, bigint>, writing: Writing = 'plain'): string {
  const blank = writing === 'spaced' ? ' \r\n\t' : '';
  const inside = (part: WireJson) => writeJson(part, ids, writing);
  const list = (texts: readonly string[]) => texts.map((text) => `${blank}${text}${blank}`).join(',');
  if (value instanceof WrittenJson) return value.text;
  if (value instanceof Reference) return String(ids.get(value));
  if (value instanceof WireObject) {
    return `{${list(value.members.map(([name, member]) => `${writeText(name, writing)}${blank}:${blank}${inside(member)}`))}}`;
  }
  if (typeof value === 'object' && value !== null) return `[${list(value.map(inside))}]`;
  return typeof value === 'string' ? writeText(value, writing) : String(value);
}

function writeText(text: string, writing: Writing): string {
  if (writing !== 'escaped') return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** All references in a value. */
export function referencesIn(value: WireJson): Reference[] {
  if (value instanceof Reference) return [value];
  if (value instanceof WireObject) return value.members.flatMap(([, member]) => referencesIn(member));
  if (typeof value !== 'object' || value === null || value instanceof WrittenJson) return [];
  return value.flatMap(referencesIn);
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Reads JSON. Numbers that are written as integers become exact `bigint` values. @throws SyntaxError */
export function readJson(text: string): unknown {
  const exact: Reviver = (_name, value, context) =>
    typeof value === 'number' && /^-?[0-9]+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;
  return JSON.parse(text, exact);
}
