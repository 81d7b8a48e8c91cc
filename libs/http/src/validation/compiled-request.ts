import { toBigInt } from '../json/exact-json.js';
import { textToInt64 } from './int64.decorator.js';
import type { MakeOptions, MakeRequest, Members } from './make-request.js';
import type { ToInstance, Transformation, Transformations } from './transformations.js';
import type { Type } from '@nestjs/common';
import type { Checks } from './compiled-checks.js';
import { MAX_INSTANCES } from './sent-values.js';

/** The result of a copy that only class-transformer can make. */
const NOT_COPIED = Symbol('not copied');

/** @returns `NOT_COPIED` if class-transformer would do more than copy, or if a nested object is invalid */
type Copy = (sent: Members, name: string, about: MakeOptions) => unknown;

function copyBy(
  transformation: Transformation,
  isNested: boolean,
  makeOf: (type: unknown) => MakeRequest | undefined,
): Copy | undefined {
  if (typeof transformation === 'object') return isNested ? instancesBy(transformation, makeOf) : undefined;
  if (isNested || transformation === 'other') return undefined;
  return transformation === 'none' ? copyOf : int64Of;
}

function instancesBy({ typeOf, takesLists }: ToInstance, makeOf: (type: unknown) => MakeRequest | undefined): Copy {
  return (sent, name, about) => {
    const value = sent[name];
    const make = makeOf(typeOf());
    const instanceOf = (element: unknown): unknown => {
      const isObject = typeof element === 'object' && element !== null;
      return (isObject ? make?.(element as Members, about) : undefined) ?? NOT_COPIED;
    };
    if (!Array.isArray(value)) return value === undefined ? undefined : instanceOf(value);
    if (!takesLists) return NOT_COPIED;
    const instances: unknown[] = [];
    for (const element of value) {
      const instance = instanceOf(element);
      if (instance === NOT_COPIED) return NOT_COPIED;
      instances.push(instance);
    }
    return instances;
  };
}

const copyOf: Copy = (sent, name) => {
  const value = sent[name];
  if (isExact(value)) return value;
  return Array.isArray(value) && value.every(isExact) ? Array.from<unknown>(value) : NOT_COPIED;
};

const int64Of: Copy = (sent, name, { isText }) => {
  const value = sent[name];
  const isKnown = Array.isArray(value) ? value.every(isSimple) : isSimple(value);
  if (!isKnown) return NOT_COPIED;
  const integer = toBigInt(value, sent, name);
  return isText ? textToInt64(integer) : integer;
};

/** Whether a copy is exact: no object, and no number beyond 2^53-1. Such numbers are checked for each member. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined;
}

function isSimple(value: unknown): boolean {
  return isExact(value) || typeof value === 'bigint' || typeof value === 'number';
}

/** The names and values of the members of an instance. */
type Values = readonly (readonly [string, unknown])[];

/** The result for a frozen value, which many requests share. */
interface Remembered {
  readonly values: Values;
  /** The values always make a valid instance. */
  readonly isValid: boolean;
}

/** The known rules of a class. */
interface CheckedClass {
  readonly type: Type<object>;
  readonly fields: readonly string[];
  readonly nestedFields: readonly string[];
  /** Checks all rules except those of nested objects. */
  readonly satisfiesOwnRules: Checks | undefined;
  /** Whether the result of the rules depends on the values alone, and not on the time. */
  readonly isTimeless: boolean;
}

/**
 * Compiles a class for which class-transformer only copies texts, numbers, lists of them, and nested objects of such
 * classes. The result does the same as class-transformer and class-validator, without reading their decorators for each
 * request.
 *
 * @param makeOf returns the compiled function of a nested class
 * @returns `undefined` for any other class
 */
export function compileRequest(
  { type, fields, nestedFields, satisfiesOwnRules, isTimeless }: CheckedClass,
  transformations: Transformations,
  makeOf: (type: unknown) => MakeRequest | undefined,
): MakeRequest | undefined {
  if (satisfiesOwnRules === undefined || transformations.renames(type)) return undefined;
  const copies = new Map<string, Copy>();
  for (const field of fields) {
    const copy = copyBy(transformations.ofField(type, field), nestedFields.includes(field), makeOf);
    // class-transformer ignores names that the prototype has.
    if (copy === undefined || field in (type.prototype as object)) return undefined;
    copies.set(field, copy);
  }
  const copyAll = (sent: Members, about: MakeOptions): Values | undefined => {
    if (!isRecord(sent)) return undefined;
    const values: [string, unknown][] = [];
    for (const name of Object.keys(sent)) {
      const value = copies.get(name)?.(sent, name, about);
      if (value === NOT_COPIED || !copies.has(name)) return undefined;
      values.push([name, value]);
    }
    return values;
  };
  const remembered = new WeakMap<Members, Remembered>();
  return (sent, about) => {
    // Nested objects count if they are sent, and if they may be sent.
    about.instances += 1 + nestedFields.length;
    if (about.instances > MAX_INSTANCES) return undefined;
    const before = remembered.get(sent);
    const values = before?.values ?? copyAll(sent, about);
    if (values === undefined) return undefined;
    const instance = new type() as Record<string, unknown>;
    // The default value from a constructor must be validated too.
    for (const field of nestedFields) if (instance[field] !== undefined) return undefined;
    for (const [name, value] of values) {
      // The same as above, for a method that the constructor assigns.
      if (typeof instance[name] === 'function') return undefined;
      instance[name] = value;
    }
    if (before?.isValid === true) return instance;
    if (!satisfiesOwnRules(instance)) return undefined;
    // A handler could change a list for all other requests.
    if (before === undefined && Object.isFrozen(sent) && !values.some(([, value]) => Array.isArray(value))) {
      // A value that was not sent comes from the constructor, which may assign another value the next time.
      const areAllSent = fields.every((field) => instance[field] === undefined || Object.hasOwn(sent, field));
      remembered.set(sent, { values, isValid: isTimeless && areAllSent });
    }
    return instance;
  };
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
