import { registerDecorator } from 'class-validator';

/** Answers what a value must be, to stand after the field's name in a sentence, or `undefined` when it is fine. */
export type Rule = (value: unknown) => string | undefined;

/** Where class-validator keeps the rule of {@link Satisfies}: what it calls a context is for whoever declares one. */
const RULE = Symbol('rule');

/**
 * The field must obey the rule, whose verdict depends on the value alone: it is remembered. The field is required unless it is
 * also {@link Optional}.
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

/** The rule that {@link Satisfies} declares; `undefined` for another decorator. */
export function declaredRule({ context }: { context?: unknown }): Rule | undefined {
  return (context as { readonly [RULE]?: Rule } | undefined)?.[RULE];
}
