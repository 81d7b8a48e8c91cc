import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

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
        validate: (value) => typeof value === 'string' && isWithin(value, min, max) && isKept(value),
        defaultMessage: (context) =>
          buildMessage(
            (each) =>
              `${each}$property ${context?.value === undefined ? 'is required and ' : ''}` +
              (isText(context?.value, min, max)
                ? 'must have neither NUL nor half of a surrogate pair'
                : 'must be a string of $constraint1 to $constraint2 characters'),
            options,
          )(context),
      },
    },
    options,
  );
}

function isText(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && isWithin(value, min, max);
}

/**
 * A code point has one or two UTF-16 units. For most texts, and every hostile one, the number of units is enough to
 * decide.
 */
function isWithin(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length <= max && text.length >= 2 * min) return true;
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

function isKept(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
