import { BigIntType, type EntityMetadata } from '@mikro-orm/core';

/** As MikroORM's type, but JSON gets an integer and not a string. */
class ExactBigIntType extends BigIntType {
  override toJSON(value: bigint): never {
    return value as never;
  }
}

/**
 * For the option `discovery.onMetadata` of MikroORM: entities that a handler returns have their 64-bit integers as JSON numbers.
 * Properties that are declared as strings or numbers (`bigint('string')`) do not change.
 */
export function keepIntegersExact({ properties }: EntityMetadata): void {
  for (const property of Object.values<{ type: unknown }>(properties)) {
    const { type } = property;
    const isBigInt =
      type === 'bigint' || type === BigIntType || (type instanceof BigIntType && (type.mode ?? 'bigint') === 'bigint');
    if (isBigInt) property.type = new ExactBigIntType('bigint');
  }
}
