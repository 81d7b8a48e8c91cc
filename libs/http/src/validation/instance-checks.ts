/** What is wrong with a request and goes unnoticed in class-transformer and class-validator. */
import { EXACT_BELOW } from '../json/exact-json.js';
import type { RequestClasses } from './request-class.js';
import { MUST_BE_SAFE } from './texts.js';
import { memberOf, type Violations } from './violations.js';

/** An object with members of any type. */
type Members = Record<string, unknown>;

/** The names of every object's prototype, and `prototype`: Nest removes three of them, class-transformer ignores the others. */
const FORBIDDEN = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** The paths of all sent members with such a name. */
export function forbiddenNames(sent: unknown): string[] {
  const found: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (FORBIDDEN.has(name)) found.push(at);
      else look((value as Members)[name], at);
    }
  };
  look(sent, '');
  return found;
}

/** Whether a `number` of a flat instance has been rounded: an integer beyond 2^53-1 is a `bigint` before `@Type`. */
export function hasRoundedNumber(instance: object): boolean {
  for (const value of Object.values(instance)) if (isRounded(value)) return true;
  return false;
}

function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) < EXACT_BELOW;
}

/**
 * Adds what class-validator does not report of an instance, and of those nested in it:
 *
 * - a list in the place of one object, or of an object in a list: `@ValidateNested` looks into it
 * - the name of a method: class-transformer ignores it
 * - a number that `@Type(() => Number)` rounded
 *
 * @param sent the value from which the instance was made
 */
export function inspect(instance: unknown, sent: unknown, classes: RequestClasses, violations: Violations): void {
  const visit = (value: unknown, source: unknown, path: string): void => {
    if (isRounded(value)) violations.replace(path, MUST_BE_SAFE);
    if (typeof value !== 'object' || value === null) return;
    const known = classes.get(value.constructor);
    const prefix = path === '' ? '' : `${path}.`;
    if (known === undefined) {
      if (!Array.isArray(value)) return;
      for (const [at, element] of value.entries()) visit(element, memberOf(source, at), `${prefix}${at}`);
      return;
    }
    for (const name of ownNames(source)) {
      const isMethod = name in (known.type.prototype as object) && !known.fields.has(name) && !FORBIDDEN.has(name);
      if (isMethod) violations.addUnknown(`${prefix}${name}`, known.type);
    }
    for (const [name, member] of Object.entries(value)) {
      const at = `${prefix}${name}`;
      const kind = known.nested.get(name);
      if (kind === 'one' && Array.isArray(member) && isOfClass(known.type, name)) {
        violations.replace(at, 'must be an object, and no list');
      } else if (kind === 'many' && Array.isArray(member)) {
        member.forEach((element: unknown, index) => {
          if (Array.isArray(element)) violations.replace(`${at}.${index}`, 'must be an object, and no list');
          else visit(element, memberOf(memberOf(source, name), index), `${at}.${index}`);
        });
      } else {
        visit(member, memberOf(source, name), at);
      }
    }
  };
  visit(instance, sent, '');
}

/** Whether a field is declared as one object: `@ValidateNested()` without `each` also stands above lists. */
function isOfClass(type: object, field: string): boolean {
  return Reflect.getMetadata('design:type', (type as { readonly prototype: object }).prototype, field) !== Array;
}

function ownNames(source: unknown): string[] {
  return typeof source === 'object' && source !== null && !Array.isArray(source) ? Object.keys(source) : [];
}
