import { excerpt } from '../errors/bounded-message.js';
import { RequestError } from '../errors/request.errors.js';

/** Names that every object has: class-transformer passes over them in silence, and whoever sends one is told instead. */
const FORBIDDEN = new Set(Object.getOwnPropertyNames(Object.prototype));

/** How many members one object may have: class-transformer compares each with every other. */
const MAX_MEMBERS = 1_000;

/**
 * How many instances a body may hold in all. class-validator takes tens of microseconds for each of which it has something
 * to say, and nobody else is served meanwhile.
 */
export const MAX_INSTANCES = 2_000;

/** What a number must be that is declared as one, to stand behind its name in a sentence. */
export const MUST_BE_SAFE = `must be a number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: beyond that it would be rounded`;

/** The longest text that is looked at as a number: longer ones are infinite as one. */
const MAX_DIGITS = 310;

/** What has to be known of sent values before class-transformer copies them. */
export interface SentValues {
  /** The paths of members that may not be called so. They are taken out. */
  readonly forbidden: readonly string[];
  /** What numbers and texts beyond 2^53-1 are as a `number`: rounded, or so large that nobody means it. */
  readonly unsafe: ReadonlySet<number>;
}

/**
 * Looks through values as they were sent; see {@link SentValues}.
 *
 * @throws RequestError where an object has too many members
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
