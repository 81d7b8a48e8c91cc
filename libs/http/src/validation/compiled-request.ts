import type { Type } from '@nestjs/common';
import type { Checks } from './compiled-checks.js';
import { toInt64 } from './is-int64.decorator.js';
import type { Transformations } from './transformations.js';

/**
 * Makes a valid instance of what was sent.
 *
 * @param isText the values are those of a query or a path
 * @returns `undefined` where only class-transformer and class-validator can tell what it is, or what is wrong with it
 */
export type MakeRequest = (sent: Members, isText: boolean) => object | undefined;

type Members = Readonly<Record<string, unknown>>;

/** A class whose rules are known. */
interface CheckedClass {
  readonly type: Type<object>;
  readonly fields: readonly string[];
  readonly obeysRules: Checks | undefined;
}

/**
 * The way of class-transformer and class-validator for a class of which class-transformer has nothing to do but to copy texts,
 * numbers, and lists of them: without looking for its decorators again with each request.
 *
 * @returns `undefined` for another class
 */
export function compileRequest(
  { type, fields, obeysRules }: CheckedClass,
  transformations: Transformations,
): MakeRequest | undefined {
  if (obeysRules === undefined || transformations.renames(type)) return undefined;
  const copies = new Map<string, Copy>();
  for (const field of fields) {
    const transformation = transformations.ofField(type, field);
    // class-transformer passes over names that the prototype has.
    if (transformation === 'other' || field in (type.prototype as object)) return undefined;
    copies.set(field, transformation === 'none' ? copyOf : int64Of);
  }
  return (sent, isText) => {
    if (!isRecord(sent)) return undefined;
    const values: [string, unknown][] = [];
    for (const name of Object.keys(sent)) {
      const value = copies.get(name)?.(sent, name, isText);
      if (value === NOT_COPIED || !copies.has(name)) return undefined;
      values.push([name, value]);
    }
    const instance = new type() as Record<string, unknown>;
    for (const [name, value] of values) {
      // As above, where a constructor puts it there.
      if (typeof instance[name] === 'function') return undefined;
      instance[name] = value;
    }
    return obeysRules(instance) ? instance : undefined;
  };
}

const NOT_COPIED = Symbol('not copied');

/** @returns `NOT_COPIED` where a copy is not all that class-transformer would make of it */
type Copy = (sent: Members, name: string, isText: boolean) => unknown;

const copyOf: Copy = (sent, name) => {
  const value = sent[name];
  if (isExact(value)) return value;
  return Array.isArray(value) && value.every(isExact) ? Array.from<unknown>(value) : NOT_COPIED;
};

const int64Of: Copy = (sent, name, isText) => {
  const value = sent[name];
  const isKnown = Array.isArray(value) ? value.every(isSimple) : isSimple(value);
  return isKnown ? toInt64(value, sent, name, isText) : NOT_COPIED;
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
