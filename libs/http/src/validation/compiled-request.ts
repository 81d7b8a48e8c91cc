import type { Type } from '@nestjs/common';
import { toBigInt } from '../json/exact-json.js';
import type { Checks } from './compiled-checks.js';
import { textToInt64 } from './int64.decorator.js';
import { MAX_INSTANCES } from './sent-values.js';
import type { ToInstance, Transformation, Transformations } from './transformations.js';

/**
 * Makes a valid instance of what was sent.
 *
 * @returns `undefined` where only class-transformer and class-validator can tell what it is, or what is wrong with it
 */
export type MakeRequest = (sent: Members, about: MakeOptions) => object | undefined;

/** How one body, query or path is read. */
export interface MakeOptions {
  /** The values are those of a query or a path. */
  readonly isText: boolean;
  /** How many instances were made; beyond {@link MAX_INSTANCES} none is. */
  instances: number;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an instance, with their names. */
type Values = readonly (readonly [string, unknown])[];

/** What requests share: it comes again and again. */
interface Remembered {
  readonly values: Values;
  /** It makes a valid instance whenever it is sent. */
  readonly isValid: boolean;
}

/** A class whose rules are known. */
interface CheckedClass {
  readonly type: Type<object>;
  readonly fields: readonly string[];
  readonly nestedFields: readonly string[];
  /** Tells that all rules hold but those of nested objects. */
  readonly satisfiesOwnRules: Checks | undefined;
  /** Whether the same values obey them whenever they are sent. */
  readonly isTimeless: boolean;
}

/**
 * The way of class-transformer and class-validator for a class of which class-transformer has nothing to do but to copy texts,
 * numbers, lists of them, and nested objects of such classes: without looking for its decorators again with each request.
 *
 * @param makeOf what makes instances of a nested class
 * @returns `undefined` for another class
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
    // class-transformer passes over names that the prototype has.
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
    // Nested objects are counted where they are, and where they may be.
    about.instances += 1 + nestedFields.length;
    if (about.instances > MAX_INSTANCES) return undefined;
    const before = remembered.get(sent);
    const values = before?.values ?? copyAll(sent, about);
    if (values === undefined) return undefined;
    const instance = new type() as Record<string, unknown>;
    // The default of a constructor is validated too.
    for (const field of nestedFields) if (instance[field] !== undefined) return undefined;
    for (const [name, value] of values) {
      // As above, where a constructor puts it there.
      if (typeof instance[name] === 'function') return undefined;
      instance[name] = value;
    }
    if (before?.isValid === true) return instance;
    if (!satisfiesOwnRules(instance)) return undefined;
    // A list could be changed, by one handler for all.
    if (before === undefined && Object.isFrozen(sent) && !values.some(([, value]) => Array.isArray(value))) {
      // A value that was not sent is the constructor's, which may give another one the next time.
      const areAllSent = fields.every((field) => instance[field] === undefined || Object.hasOwn(sent, field));
      remembered.set(sent, { values, isValid: isTimeless && areAllSent });
    }
    return instance;
  };
}

const NOT_COPIED = Symbol('not copied');

/** @returns `NOT_COPIED` where a copy is not all that class-transformer would make of it, or a nested object is not valid */
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

/** Neither an object nor rounded: what is beyond 2^53-1 is looked at member by member. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined;
}

function isSimple(value: unknown): boolean {
  return isExact(value) || typeof value === 'bigint' || typeof value === 'number';
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
