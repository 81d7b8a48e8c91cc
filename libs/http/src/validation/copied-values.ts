import { toBigInt } from '../json/exact-json.js';
import { textToInt64 } from './int64.decorator.js';
import type { MakeOptions, MakeRequest, Members } from './make-request.js';
import type { ToInstance, Transformation } from './transformations.js';

/** The result of a copy that only class-transformer can make. */
export const NOT_COPIED = Symbol('not copied');

/** @returns `NOT_COPIED` if class-transformer would do more than copy, or if a nested object is invalid */
export type Copy = (sent: Members, name: string, about: MakeOptions) => unknown;

export function copyBy(
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
