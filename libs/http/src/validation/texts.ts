import { parseInt64 } from '@animal-store/kernel';
import { AS_DIGITS } from './field-rules.decorators.js';
import type { RequestClass, TextKind } from './request-class.js';

/** A number in plain decimal digits. `Number` would also accept `0x10`, `1e1`, ` 5` and an empty text. */
const PLAIN_NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** The value of a text as its declared type, or what the text must be: the end of a sentence. */
type Read = { readonly value: unknown } | { readonly fault: string };

/**
 * Reads the texts of a query or of path parameters as the types of their class declare them: numbers, booleans, int64,
 * and lists, of which one value is one, too.
 *
 * @param refuse called with the name of a member and what its text must be
 * @returns the sent object if there was nothing to read, otherwise a copy
 */
export function readTexts(
  sent: Record<string, unknown>,
  { texts }: RequestClass,
  refuse: (name: string, fault: string) => void,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, kind] of texts) {
    const text = sent[name];
    if (text === undefined) continue;
    const read = readAs(kind, text);
    if ('fault' in read) refuse(name, read.fault);
    else if (read.value !== text) (copy ??= { ...sent })[name] = read.value;
  }
  return copy ?? sent;
}

function readAs(kind: TextKind, text: unknown): Read {
  if (kind === 'list') return { value: typeof text === 'string' ? [text] : text };
  if (kind === 'int64') return { value: int64In(text) };
  if (kind === 'boolean') {
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' };
  }
  const number = typeof text === 'string' && PLAIN_NUMBER.test(text) ? Number(text) : undefined;
  if (number === undefined) return { fault: `must be a number${AS_DIGITS}` };
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? { fault: MUST_BE_SAFE } : { value: number };
}

/** A text that is no int64 stays a text, which the rule refuses. */
function int64In(text: unknown): unknown {
  if (Array.isArray(text)) return text.map(int64In);
  return typeof text === 'string' ? (parseInt64(text) ?? text) : text;
}

/** The rule for a member of the type `number`, as the end of a sentence that begins with the member's name. */
export const MUST_BE_SAFE = `must be a number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: beyond that it would be rounded`;

/**
 * Reads a single parameter of the type `number` or `boolean`. A text that is none stays a text, so that the parameter's
 * own pipe refuses it: Nest would make `NaN` of it, which a `DefaultValuePipe` replaces by the default.
 */
export function readParameter(text: string, type: unknown): unknown {
  if (type === Boolean) return text === 'true' || (text === 'false' ? false : text);
  return type === Number && PLAIN_NUMBER.test(text) ? Number(text) : text;
}
