/** Keeps 64-bit integers exact: in JSON, in validation rules and in paths. */
import { Injectable, NotFoundException, type PipeTransform } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

const LARGEST = 2n ** 63n - 1n;

/** A reviver for `JSON.parse`: an integer that a `number` can't represent exactly becomes a `bigint`. */
export function reviveIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return /^-?[0-9]+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value;
}

/** Makes `JSON.stringify` write a `bigint` as a number, as MDN shows. */
export function writeIntegers(): void {
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.toString());
    },
  });
}

/** A field that accepts a 64-bit integer and holds it as a `bigint`. */
export function IsInt64(): PropertyDecorator {
  const toBigInt = Transform(({ value }) =>
    Number.isSafeInteger(value) ? BigInt(value as number) : (value as unknown),
  );
  const isInt64 = ValidateBy({
    name: 'isInt64',
    validator: {
      validate: (value) => typeof value === 'bigint' && value <= LARGEST && value >= -LARGEST - 1n,
      defaultMessage: () => '$property must be a 64-bit integer',
    },
  });
  return (target, property) => {
    toBigInt(target, property);
    isInt64(target, property);
  };
}

/** An id in a path. Text that can't be an id gets a 404. */
@Injectable()
export class Int64Pipe implements PipeTransform<string, bigint> {
  transform(text: string): bigint {
    const id = /^[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined;
    if (id === undefined || id > LARGEST) throw new NotFoundException();
    return id;
  }
}
