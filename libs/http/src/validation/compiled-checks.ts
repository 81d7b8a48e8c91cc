import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;

/** One decorator of one field, as class-validator keeps it. */
export type RuleMetadata = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/** Whether an instance obeys all rules of its class. */
export type Checks = (instance: object) => boolean;

type Constraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];

interface Check {
  readonly rule: RuleMetadata;
  readonly constraint: Constraint;
}

interface FieldChecks {
  readonly field: string;
  readonly conditions: readonly RuleMetadata[];
  readonly checks: readonly Check[];
}

/**
 * The rules of a class in a form that tells that they hold without collecting them, and making a report for each field,
 * for every instance, as class-validator does. What is wrong with an instance that does not obey them it still tells alone.
 *
 * @param rules all that class-validator knows of the class
 * @returns `undefined` when there is a rule that is not one plain call for each value: nested objects, promises
 */
export function compileChecks(rules: readonly RuleMetadata[]): Checks | undefined {
  if (!rules.every(isPlain)) return undefined;
  const fields = Object.entries(Object.groupBy(rules, ({ propertyName }) => propertyName)).map(
    ([field, ofField = []]): FieldChecks => ({
      field,
      conditions: ofField.filter(isCondition),
      checks: ofField.filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION).flatMap(checksOf),
    }),
  );
  return (instance) => fields.every((field) => holds(field, instance));
}

function isPlain(rule: RuleMetadata): boolean {
  if (isCondition(rule) || rule.type === ValidationTypes.WHITELIST) return true;
  return rule.type === ValidationTypes.CUSTOM_VALIDATION && !checksOf(rule).some(isAsync);
}

function isCondition({ type }: RuleMetadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function checksOf(rule: RuleMetadata): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map((constraint) => ({ rule, constraint }));
}

function isAsync({ constraint }: Check): boolean {
  return constraint.async;
}

function holds({ field, conditions, checks }: FieldChecks, instance: object): boolean {
  const value = (instance as Record<string, unknown>)[field];
  return (
    !conditions.every((rule) => isMet(rule, instance, value)) || checks.every((check) => passes(check, instance, value))
  );
}

function isMet({ constraints: [condition] }: RuleMetadata, instance: object, value: unknown): boolean {
  return Boolean((condition as (instance: object, value: unknown) => unknown)(instance, value));
}

function passes({ rule, constraint }: Check, object: object, value: unknown): boolean {
  if (rule.validateIf !== undefined && !rule.validateIf(object, value)) return true;
  const { propertyName: property, constraints } = rule;
  const context: ValidationArguments = { targetName: object.constructor.name, property, object, value, constraints };
  const isValid = (one: unknown) => constraint.instance.validate(one, context) === true;
  if (!rule.each || !isList(value)) return isValid(value);
  return Array.from(value.values()).every(isValid);
}

function isList(value: unknown): value is unknown[] | Set<unknown> | Map<unknown, unknown> {
  return Array.isArray(value) || value instanceof Set || value instanceof Map;
}
