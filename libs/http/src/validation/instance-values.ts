import { MAX_REPORTED } from '../errors/bounded-message.js';
import type { RequestClass, RequestClasses } from './request-class.js';
import { MAX_INSTANCES, MUST_BE_SAFE } from './sent-values.js';
import { memberOf, type Violations } from './violations.js';

/** An object with members of any type. */
type Members = Record<string, unknown>;

/**
 * Limits the values that class-validator checks. A list that is longer than its `@ArrayMaxSize` is shortened to one
 * element more than allowed, so that it is still refused.
 *
 * @returns the number of instances, including values in the place of an instance
 */
export function boundLists(instance: object, classes: RequestClasses): number {
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
    for (const field of known.nestedFields) {
      shorten(value as Members, field, known);
      visit((value as Members)[field]);
    }
  };
  visit(instance);
  return count;
}

function shorten(instance: Members, field: string, { maxLengths }: RequestClass): void {
  const list = instance[field];
  const most = maxLengths.get(field);
  if (Array.isArray(list) && most !== undefined && list.length > most) list.length = most + 1;
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
  return declared === Number || (unsafe.has(value) && Math.abs(value) < LARGEST_EXACT);
}

/** Smaller integers are exact in a body. If such an integer is a `number`, it was rounded. */
const LARGEST_EXACT = 1e50;
