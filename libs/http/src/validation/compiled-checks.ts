import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';
import { isOptional } from './optional.decorator.js';
import { declaredRule } from './declared-rule.js';

type Storage = ReturnType<typeof getMetadataStorage>;

/** One decorator of one field, as class-validator stores it. */
export type RuleMetadata = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/** Whether an instance satisfies all rules of its class. */
export type Checks = (instance: object) => boolean;

type Constraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];

/** Whether the value of a field satisfies one rule. */
type Check = (value: unknown, instance: object) => boolean;

interface FieldChecks {
  readonly field: string;
  /** A missing value satisfies the rules. */
  readonly isOptional: boolean;
  /** If one of these conditions is false, the rules are not checked. */
  readonly conditions: readonly RuleMetadata[];
  readonly checks: readonly Check[];
}

/**
 * Compiles the rules of a class to a function that only says whether an instance satisfies all of them. It makes no
 * report for each field of every instance, as class-validator does. For an instance that breaks a rule, class-validator
 * makes the report.
 *
 * @param rules all rules that class-validator knows of the class
 * @param targetName the name of the class
 * @returns `undefined` if a rule is not a plain synchronous call for each value: nested objects, promises
 */
export function compileChecks(rules: readonly RuleMetadata[], targetName: string): Checks | undefined {
  if (!rules.every(isPlain)) return undefined;
  const fields = Object.entries(Object.groupBy(rules, ({ propertyName }) => propertyName)).map(
    ([field, ofField = []]): FieldChecks => ({
      field,
      isOptional: ofField.some(isOptional),
      conditions: ofField.filter((rule) => isCondition(rule) && !isOptional(rule)),
      checks: ofField
        .filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION)
        .flatMap((rule) => checksOf(rule, targetName)),
    }),
  );
  return (instance) => {
    for (const field of fields) if (!holds(field, instance)) return false;
    return true;
  };
}

function isPlain(rule: RuleMetadata): boolean {
  if (isCondition(rule) || rule.type === ValidationTypes.WHITELIST) return true;
  return rule.type === ValidationTypes.CUSTOM_VALIDATION && !constraintsOf(rule).some(({ async }) => async);
}

function isCondition({ type }: RuleMetadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function constraintsOf({ constraintCls }: RuleMetadata): Constraint[] {
  return getMetadataStorage().getTargetValidatorConstraints(constraintCls);
}

function checksOf(metadata: RuleMetadata, targetName: string): Check[] {
  const rule = declaredRule(metadata);
  if (rule !== undefined) return [(value) => rule(value) === undefined];
  return constraintsOf(metadata).map((constraint) => checkBy(metadata, validatorOf(constraint), targetName));
}

type Validate = (value: unknown, context: ValidationArguments) => boolean;

/** Calls the validator of class-validator's container. The container searches all validators, so it is asked only once. */
function validatorOf(constraint: Constraint): Validate {
  let validator: Constraint['instance'] | undefined;
  return (value, context) => (validator ??= constraint.instance).validate(value, context) === true;
}

function checkBy(rule: RuleMetadata, validate: Validate, targetName: string): Check {
  const { propertyName: property, constraints } = rule;
  return (value, object) => {
    if (rule.validateIf !== undefined && !rule.validateIf(object, value)) return true;
    const context: ValidationArguments = { targetName, property, object, value, constraints };
    if (!rule.each || !isList(value)) return validate(value, context);
    return Array.from(value.values()).every((element) => validate(element, context));
  };
}

function holds({ field, isOptional: mayLack, conditions, checks }: FieldChecks, instance: object): boolean {
  const value = (instance as Record<string, unknown>)[field];
  if (value === undefined && mayLack) return true;
  for (const rule of conditions) if (!isMet(rule, instance, value)) return true;
  for (const check of checks) if (!check(value, instance)) return false;
  return true;
}

function isMet({ constraints: [condition] }: RuleMetadata, instance: object, value: unknown): boolean {
  return Boolean((condition as (instance: object, value: unknown) => unknown)(instance, value));
}

function isList(value: unknown): value is unknown[] | Set<unknown> | Map<unknown, unknown> {
  return Array.isArray(value) || value instanceof Set || value instanceof Map;
}
