import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;

/** One decorator of one field, as class-validator keeps it. */
export type RuleMetadata = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/** Whether an instance obeys all rules of its class. */
export type Checks = (instance: object) => boolean;

type Constraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];

interface Check {
  readonly rule: RuleMetadata;
  readonly isAsync: boolean;
  readonly validate: (value: unknown, context: ValidationArguments) => boolean;
}

interface FieldChecks {
  readonly field: string;
  readonly conditions: readonly RuleMetadata[];
  readonly checks: readonly Check[];
  readonly targetName: string;
}

/**
 * The rules of a class in a form that tells that they hold without collecting them, and making a report for each field,
 * for every instance, as class-validator does. What is wrong with an instance that does not obey them it still tells alone.
 *
 * @param rules all that class-validator knows of the class
 * @param targetName the name of the class
 * @returns `undefined` when there is a rule that is not one plain call for each value: nested objects, promises
 */
export function compileChecks(rules: readonly RuleMetadata[], targetName: string): Checks | undefined {
  if (!rules.every(isPlain)) return undefined;
  const fields = Object.entries(Object.groupBy(rules, ({ propertyName }) => propertyName)).map(
    ([field, ofField = []]): FieldChecks => ({
      field,
      conditions: ofField.filter(isCondition),
      checks: ofField.filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION).flatMap(checksOf),
      targetName,
    }),
  );
  return (instance) => {
    for (const field of fields) if (!holds(field, instance)) return false;
    return true;
  };
}

function isPlain(rule: RuleMetadata): boolean {
  if (isCondition(rule) || rule.type === ValidationTypes.WHITELIST) return true;
  return rule.type === ValidationTypes.CUSTOM_VALIDATION && !checksOf(rule).some(({ isAsync }) => isAsync);
}

function isCondition({ type }: RuleMetadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function checksOf(rule: RuleMetadata): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map((constraint) => ({ rule, isAsync: constraint.async, validate: validatorOf(constraint) }));
}

/** With the validator that class-validator's container gives: it looks through all of them, so it is asked once. */
function validatorOf(constraint: Constraint): Check['validate'] {
  let validator: Constraint['instance'] | undefined;
  return (value, context) => (validator ??= constraint.instance).validate(value, context) === true;
}

function holds({ field, conditions, checks, targetName }: FieldChecks, instance: object): boolean {
  const value = (instance as Record<string, unknown>)[field];
  for (const rule of conditions) if (!isMet(rule, instance, value)) return true;
  for (const check of checks) if (!passes(check, instance, value, targetName)) return false;
  return true;
}

function isMet({ constraints: [condition] }: RuleMetadata, instance: object, value: unknown): boolean {
  return Boolean((condition as (instance: object, value: unknown) => unknown)(instance, value));
}

function passes({ rule, validate }: Check, object: object, value: unknown, targetName: string): boolean {
  if (rule.validateIf !== undefined && !rule.validateIf(object, value)) return true;
  const { propertyName: property, constraints } = rule;
  const context: ValidationArguments = { targetName, property, object, value, constraints };
  if (!rule.each || !isList(value)) return validate(value, context);
  return Array.from(value.values()).every((element) => validate(element, context));
}

function isList(value: unknown): value is unknown[] | Set<unknown> | Map<unknown, unknown> {
  return Array.isArray(value) || value instanceof Set || value instanceof Map;
}
