import { registerDecorator } from 'class-validator';

/**
 * Returns what a value must be, as the end of a sentence that begins with the field's name; `undefined` for a valid
 * value.
 */
export type Rule = (value: unknown) => string | undefined;

/** The key of the rule of {@link Satisfies} in class-validator's `context`, which decorators may use freely. */
const RULE = Symbol('rule');

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

/** The rule that {@link Satisfies} declared; `undefined` for another decorator. */
export function declaredRule({ context }: { context?: unknown }): Rule | undefined {
  return (context as { readonly [RULE]?: Rule } | undefined)?.[RULE];
}
