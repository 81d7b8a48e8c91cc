import { ValidateIf } from 'class-validator';

/** The field may be left out. Unlike class-validator's `IsOptional` it does not let `null` through. */
export function Optional(): PropertyDecorator {
  return ValidateIf(isSent);
}

function isSent(_object: unknown, value: unknown): boolean {
  return value !== undefined;
}

/** Whether it is what {@link Optional} declares. */
export function isOptional({ constraints }: { constraints?: unknown }): boolean {
  return Array.isArray(constraints) && constraints[0] === isSent;
}
