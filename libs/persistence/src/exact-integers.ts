import { BigIntType, type EntityMetadata } from '@mikro-orm/core';

/** As MikroORM's, but an integer stays one on its way into JSON, where it would be a text. */
class ExactBigIntType extends BigIntType {
  override toJSON(value: bigint): never {
    return value as never;
  }
}

/**
 * For the option `discovery.onMetadata` of MikroORM: entities that a handler answers with show their 64-bit integers as JSON
 * numbers, as everything else does. Those that are declared to be texts or numbers (`bigint('string')`) stay so.
 */
export function keepIntegersExact({ properties }: EntityMetadata): void {
  for (const property of Object.values<{ type: unknown }>(properties)) {
    const { type } = property;
    const isBigInt =
      type === 'bigint' || type === BigIntType || (type instanceof BigIntType && (type.mode ?? 'bigint') === 'bigint');
    if (isBigInt) property.type = new ExactBigIntType('bigint');
  }
}
