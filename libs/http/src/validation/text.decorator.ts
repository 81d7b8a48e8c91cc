import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { hasLength } from './has-length.js';

/**
 * The field is a text of `min` to `max` characters (Unicode code points) that is stored unchanged: without NUL, which
 * PostgreSQL refuses, and without half of a surrogate pair, which its driver would replace.
 */
export function IsText(min: number, max: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isText',
      constraints: [min, max],
      validator: {
        validate: (value) => hasLength(value, min, max) && value.isWellFormed() && !value.includes('\0'),
        defaultMessage: (context) =>
          buildMessage(
            (each) =>
              `${each}$property ${context?.value === undefined ? 'is required and ' : ''}` +
              (hasLength(context?.value, min, max)
                ? 'must have neither NUL nor half of a surrogate pair'
                : 'must be a string of $constraint1 to $constraint2 characters'),
            options,
          )(context),
      },
    },
    options,
  );
}
