import { excerpt, MAX_REPORTED, RequestError } from '../errors/request.errors.js';
import { EXACT_BELOW } from '../json/exact-json.js';
import type { RequestClass, RequestClasses } from './request-class.js';
import { memberOf, type Violations } from './violations.js';

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

/** An object with members of any type. */
type Members = Record<string, unknown>;

/** The number of instances that class-validator would check, including values in the place of an instance. */
export function countInstances(instance: object, classes: RequestClasses): number {
  let count = 0;
  const visit = (value: unknown): void => {
    if (count > MAX_INSTANCES) return;
    count += 1;
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value) || value instanceof Set || value instanceof Map) {
      for (const element of value.values()) visit(element);
      return;
    }
    const known = classes.get(value.constructor);
    if (known === undefined) return;
    for (const field of known.nestedFields) visit((value as Members)[field]);
  };
  visit(instance);
  return count;
}

/** An instance, and the sent value from which it was made. */
interface CreatedInstance {
  readonly instance: object;
  readonly sent: unknown;
  /** The path of both in the request. */
  readonly at: string;
  /** The sent values beyond 2^53-1, as a `number`. */
  readonly unsafe: ReadonlySet<number>;
}

/**
 * Finds violations that class-validator does not report: a list in the place of one object, names of methods, which
 * class-transformer ignores, and numbers that were rounded.
 */
export function inspectInstance(
  { instance, sent, at, unsafe }: CreatedInstance,
  classes: RequestClasses,
  violations: Violations,
): void {
  let found = 0;
  const visit = (value: unknown, source: unknown, path: string, declared: unknown): void => {
    if (found > MAX_REPORTED) return;
    if (isRounded(value, declared, unsafe)) {
      found += 1;
      violations.replace(path, `${path} ${MUST_BE_SAFE}`);
    }
    if (typeof value !== 'object' || value === null) return;
    const prefix = path === '' ? '' : `${path}.`;
    if (Array.isArray(value) || value instanceof Map) {
      for (const [name, element] of value.entries()) {
        visit(element, memberOf(source, String(name)), `${prefix}${String(name)}`, undefined);
      }
    } else if (value instanceof Set) {
      for (const element of value) visit(element, undefined, path, undefined);
    } else {
      const known = classes.get(value.constructor);
      if (known !== undefined) {
        for (const name of methodsAmong(source, known)) violations.addUnknown(`${prefix}${name}`, name, known.type);
      }
      for (const name of Object.keys(value)) {
        const member = (value as Members)[name];
        const isObject = typeof member === 'object' && member !== null;
        if (!isObject && unsafe.size === 0) continue;
        const type: unknown = known && Reflect.getMetadata('design:type', known.type.prototype as object, name);
        if (Array.isArray(member) && known?.nestedFields.includes(name) === true && classes.get(type) !== undefined) {
          found += 1;
          violations.replace(`${prefix}${name}`, `${prefix}${name} must be an object, and no list`);
        } else if (known?.int64Fields.includes(name) !== true) {
          // The rule of the int64 field reports it.
          visit(member, memberOf(source, name), `${prefix}${name}`, type);
        }
      }
    }
  };
  visit(instance, sent, at, undefined);
}

/** The sent names that the class has as a method, and not as a field. */
function methodsAmong(source: unknown, { type, fields }: RequestClass): string[] {
  if (typeof source !== 'object' || source === null) return [];
  return Object.keys(source).filter((name) => name in (type.prototype as object) && !fields.includes(name));
}

/** A number without a declared type keeps its value as a `bigint`. A member of the type `number` cannot. */
function isRounded(value: unknown, declared: unknown, unsafe: ReadonlySet<number>): boolean {
  if (unsafe.size === 0) return false;
  if (typeof value === 'bigint') return declared === Number;
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  // A smaller integer is exact in a body. If it is a `number`, it was rounded.
  return declared === Number || (unsafe.has(value) && Math.abs(value) < EXACT_BELOW);
}
