import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { compileChecks, type Checks, type RuleMetadata } from './compiled-checks.js';
import { compileRequest } from './compiled-request.js';
import type { MakeRequest } from './make-request.js';
import { IS_INT64 } from './int64.decorator.js';
import { isOptional } from './optional.decorator.js';
import { REPORTED_LAST } from './reported-last.decorator.js';
import { declaredRule } from './declared-rule.js';
import type { Transformations } from './transformations.js';

/** The rules of a class, from class-validator and from the decorators of this library. */
export interface RequestClass {
  readonly type: Type<object>;
  /** The names of the fields with a rule, in the order of the error messages. No other name may be sent. */
  readonly fields: readonly string[];
  readonly rules: readonly RuleMetadata[];
  /** Checks all rules; `undefined` if only class-validator can check them. */
  readonly satisfiesRules: Checks | undefined;
  /**
   * Creates valid instances; `undefined` if only class-transformer and class-validator can. Set by {@link
   * RequestClasses.compileBy}.
   */
  make: MakeRequest | undefined;
  readonly int64Fields: readonly string[];
  /** The fields whose values are instances, or lists of instances. */
  readonly nestedFields: readonly string[];
  /** The maximum length of each list of instances that has one. */
  readonly maxLengths: ReadonlyMap<string, number>;
}

/** The request classes. Each is analysed once. */
export class RequestClasses {
  private readonly known = new Map<unknown, RequestClass | undefined>();
  private transformations: Transformations | undefined;

  /** Enables the compilation of classes. Without it, all classes use class-transformer and class-validator. */
  compileBy(transformations: Transformations): void {
    this.transformations = transformations;
    // The parameters of routes keep their class.
    for (const known of this.known.values()) if (known !== undefined) known.make = this.compile(known, transformations);
  }

  /** `undefined` for a type without rules, such as `String` or an interface. */
  get(type: unknown): RequestClass | undefined {
    if (!this.known.has(type))
      this.known.set(type, typeof type === 'function' ? this.describe(type as Type<object>) : undefined);
    return this.known.get(type);
  }

  private describe(type: Type<object>): RequestClass | undefined {
    const rules = inOrder(type, rulesOf(type));
    const fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
    if (fields.length === 0) return undefined;
    const known: RequestClass = {
      type,
      fields,
      rules,
      satisfiesRules: compileChecks(rules, type.name),
      make: undefined,
      int64Fields: rules.filter(({ name }) => name === IS_INT64).map(({ propertyName }) => propertyName),
      nestedFields: [...new Set(rules.filter(isNested).map(({ propertyName }) => propertyName))],
      maxLengths: new Map(rules.filter(isMaxLength).map((rule) => [rule.propertyName, rule.constraints[0] as number])),
    };
    if (this.transformations !== undefined) known.make = this.compile(known, this.transformations);
    return known;
  }

  private compile(known: RequestClass, transformations: Transformations): MakeRequest | undefined {
    const { type, rules } = known;
    const satisfiesOwnRules = compileChecks(rules.filter(isOwn), type.name);
    const isTimeless = rules.every(isOfValueAlone);
    return compileRequest(
      { ...known, satisfiesOwnRules, isTimeless },
      transformations,
      (nested) => this.get(nested)?.make,
    );
  }
}

/** The rules of a class, including inherited ones. */
export function rulesOf(type: object): RuleMetadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(type as never, '', false, false);
}

/** Whether the result depends on the value alone. Unknown rules may depend on more. */
function isOfValueAlone(rule: RuleMetadata): boolean {
  return declaredRule(rule) !== undefined || isOptional(rule);
}

function isOwn(rule: RuleMetadata): boolean {
  return !isNested(rule);
}

/**
 * Violations of inherited fields are reported before those of the class itself, and after them for {@link
 * ReportedLast}.
 */
function inOrder(type: Type<object>, rules: readonly RuleMetadata[]): RuleMetadata[] {
  const place = ({ target, propertyName }: RuleMetadata): number => {
    if (target === type) return 1;
    return Reflect.hasMetadata(REPORTED_LAST, type.prototype as object, propertyName) ? 2 : 0;
  };
  return rules.toSorted((one, other) => place(one) - place(other));
}

export function isNested({ type }: RuleMetadata): boolean {
  return type === ValidationTypes.NESTED_VALIDATION;
}

/** class-validator sets the names of its own decorators. */
function isMaxLength({ name, constraints }: RuleMetadata): boolean {
  return name === 'arrayMaxSize' && typeof (constraints as unknown[] | undefined)?.[0] === 'number';
}
