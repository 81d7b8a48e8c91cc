import { registerDecorator } from 'class-validator';
import { RULE, type Rule } from './declared-rule.js';

/**
 * The field must satisfy the rule. The result must depend on the value alone, because it is cached. The field is
 * required unless it is also {@link Optional}.
 */
export function Satisfies(rule: Rule): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'obeys',
      target: target.constructor,
      propertyName: property as string,
      options: { context: { [RULE]: rule } },
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
