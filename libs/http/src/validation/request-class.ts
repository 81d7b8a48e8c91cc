import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { QueryCache } from './cached-query.js';
import { IS_INT64 } from './int64.decorator.js';
import { RuleCheck, type RuleMetadata } from './rule-check.js';

/** What the decorators of class-validator and of this library say about a class. */
export interface RequestClass {
  readonly type: Type<object>;
  /** The names of the fields with a rule. No other name may be sent. */
  readonly fields: readonly string[];
  readonly int64Fields: readonly string[];
  /** The fields whose values are instances, or lists of instances. */
  readonly nestedFields: readonly string[];
  /** The maximum length of each list of instances that has one. */
  readonly maxLengths: ReadonlyMap<string, number>;
  /** A fast check of the rules; `undefined` if only class-validator can check them. */
  readonly check: RuleCheck | undefined;
  readonly queries: QueryCache | undefined;
}

/** The request classes of an application. Each is analysed once. */
export class RequestClasses {
  private readonly known = new Map<unknown, RequestClass | undefined>();

  /** `undefined` for a type without rules, such as `String` or an interface. */
  get(type: unknown): RequestClass | undefined {
    if (!this.known.has(type))
      this.known.set(type, typeof type === 'function' ? describe(type as Type<object>) : undefined);
    return this.known.get(type);
  }
}

function describe(type: Type<object>): RequestClass | undefined {
  const rules: readonly RuleMetadata[] = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  if (rules.length === 0) return undefined;
  return {
    type,
    fields: fieldsOf(rules),
    int64Fields: fieldsOf(rules.filter(({ name }) => name === IS_INT64)),
    nestedFields: fieldsOf(rules.filter((rule) => rule.type === ValidationTypes.NESTED_VALIDATION)),
    maxLengths: new Map(rules.filter(isMaxLength).map((rule) => [rule.propertyName, rule.constraints[0] as number])),
    check: RuleCheck.of(type, rules),
    queries: QueryCache.of(type),
  };
}

function fieldsOf(rules: readonly RuleMetadata[]): string[] {
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** class-validator sets the names of its own decorators. */
function isMaxLength({ name, constraints }: RuleMetadata): boolean {
  return name === 'arrayMaxSize' && typeof (constraints as unknown[] | undefined)?.[0] === 'number';
}
