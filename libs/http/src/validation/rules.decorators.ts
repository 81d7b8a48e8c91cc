import { registerDecorator, ValidateIf } from 'class-validator';

/** Answers what a value must be, to stand after the field's name in a sentence, or `undefined` when it is fine. */
export type Rule = (value: unknown) => string | undefined;

/** The field must obey the rule. It is required unless it is also {@link Optional}. */
export function Obeys(rule: Rule): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'obeys',
      target: target.constructor,
      propertyName: property as string,
      validator: {
        validate: (value: unknown) => rule(value) === undefined,
        defaultMessage: (context) => {
          const expected = rule(context?.value) ?? '';
          return context?.value === undefined
            ? `${String(property)} is required and ${expected}`
            : `${String(property)} ${expected}`;
        },
      },
    });
  };
}

/** The field may be left out. Unlike class-validator's `IsOptional` it does not let `null` through. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
