import { ValidateIf } from 'class-validator';

/** The field may be missing. Unlike class-validator's `IsOptional`, this does not accept `null`. */
export function Optional(): PropertyDecorator {
  return ValidateIf(isSent);
}

function isSent(_object: unknown, value: unknown): boolean {
  return value !== undefined;
}

/** Whether a rule was declared by {@link Optional}. */
export function isOptional({ constraints }: { constraints?: unknown }): boolean {
  return Array.isArray(constraints) && constraints[0] === isSent;
}
