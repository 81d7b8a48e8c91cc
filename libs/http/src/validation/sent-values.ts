import { excerpt } from '../errors/excerpt.js';
import { RequestError } from '../errors/request.errors.js';

/** The names of every object's prototype. class-transformer ignores them silently; here they are refused. */
const FORBIDDEN = new Set(Object.getOwnPropertyNames(Object.prototype));

/** The maximum number of members of one object: class-transformer compares each with every other. */
const MAX_MEMBERS = 1_000;

/**
 * The maximum number of instances in a body. class-validator takes tens of microseconds for each instance with a
 * violation, and no other request is served meanwhile.
 */
export const MAX_INSTANCES = 2_000;

/** The rule for a member of the type `number`, as the end of a sentence that begins with the member's name. */
export const MUST_BE_SAFE = `must be a number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: beyond that it would be rounded`;

/** The longest text that is read as a number: a longer number is infinite. */
const MAX_DIGITS = 310;

/** The properties of sent values that must be known before class-transformer copies them. */
export interface SentValues {
  /** The paths of members with forbidden names. These members are removed. */
  readonly forbidden: readonly string[];
  /** The numbers and texts beyond 2^53-1, as a `number`: they are rounded, or too large to be meant. */
  readonly unsafe: ReadonlySet<number>;
}

/**
 * Finds the {@link SentValues} of a sent object.
 *
 * @throws RequestError if an object has too many members
 */
export function lookThrough(sent: object): SentValues {
  const forbidden: string[] = [];
  const unsafe = new Set<number>();
  const look = (value: unknown, path: string): void => {
    const number = unsafeNumber(value);
    if (number !== undefined) unsafe.add(number);
    if (typeof value !== 'object' || value === null) return;
    const names = Object.keys(value);
    if (names.length > MAX_MEMBERS && !Array.isArray(value)) {
      const what = path === '' ? 'The whole' : excerpt(path);
      throw RequestError.invalid([`${what} has more than ${MAX_MEMBERS.toLocaleString('en')} members`]);
    }
    for (const name of names) {
      const member = (value as Record<string, unknown>)[name];
      if (FORBIDDEN.has(name)) {
        forbidden.push(path === '' ? name : `${path}.${name}`);
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- one of a dozen names
        delete (value as Record<string, unknown>)[name];
      } else if (isWorthALook(member)) {
        look(member, path === '' ? name : `${path}.${name}`);
      }
    }
  };
  look(sent, '');
  return { forbidden, unsafe };
}

function isWorthALook(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || unsafeNumber(value) !== undefined;
}

function unsafeNumber(value: unknown): number | undefined {
  const isNumeric =
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && value.length > 2 && value.length <= MAX_DIGITS);
  const number = isNumeric ? Number(value) : 0;
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? number : undefined;
}
