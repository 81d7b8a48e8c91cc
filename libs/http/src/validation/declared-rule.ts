/**
 * Returns what a value must be, as the end of a sentence that begins with the field's name; `undefined` for a valid
 * value.
 */
export type Rule = (value: unknown) => string | undefined;

/** The key of the rule of {@link Satisfies} in class-validator's `context`, which decorators may use freely. */
export const RULE = Symbol('rule');

/** The rule that {@link Satisfies} declared; `undefined` for another decorator. */
export function declaredRule({ context }: { context?: unknown }): Rule | undefined {
  return (context as { readonly [RULE]?: Rule } | undefined)?.[RULE];
}
