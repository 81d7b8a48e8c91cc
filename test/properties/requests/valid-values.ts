import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../support/openapi.js';
import type { Description } from './described-operations.js';
import { Reference, WireObject, WrittenJson, type WireJson } from './wire-json.js';

export const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Beyond 2^53, doubles round. Beyond 2^31, a 32-bit integer ends. At either end of int64, a sum overflows. */
const EDGES = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, INT64.min, INT64.max];

/** The bounds of an integer. Both bounds are allowed. */
export function boundsOf({ format, minimum, maximum }: Schema): { readonly min: bigint; readonly max: bigint } {
  const widest = format === 'int32' ? { min: -(2n ** 31n), max: 2n ** 31n - 1n } : INT64;
  return {
    min: minimum === undefined ? widest.min : BigInt(minimum),
    max: maximum === undefined ? widest.max : BigInt(maximum),
  };
}

/**
 * Values that a schema allows. Texts contain neither NUL nor half of a surrogate pair, because the service refuses both in every text.
 *
 * @param name the name of the member or parameter. If paths have a parameter of this name, the value is usually the id of a new resource
 */
export function validValues(description: Description, schema: Schema, name = ''): Arbitrary<WireJson> {
  const { type, enum: allowed, items, ...rest } = description.resolve(schema);
  if (allowed !== undefined) return fc.constantFrom(...(allowed as string[]));
  switch (type) {
    case 'integer': {
      const integers = validIntegers(rest);
      if (!description.collections.has(name)) return integers;
      return fc.oneof({ weight: 4, arbitrary: fc.constant(null).map(() => new Reference(name)) }, integers);
    }
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new WrittenJson(String(value)));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return rest.format === 'date-time' ? validTimes() : validTexts(rest);
    case 'array':
      return fc.array(validValues(description, items!), {
        minLength: rest.minItems ?? 0,
        maxLength: Math.min(rest.maxItems ?? 8, 8),
      });
    case 'object':
      return validObjects(description, rest);
    default:
      throw new Error(`There are no values yet for a schema of the type ${type ?? 'that is missing'}: ${name}`);
  }
}

/** The smallest value that contains everything required, with the values of the examples. */
export function exampleValue(description: Description, schema: Schema, name = ''): WireJson {
  const { type, example, enum: allowed, items, properties = {}, required = [], ...rest } = description.resolve(schema);
  if (type === 'integer' && description.collections.has(name)) return new Reference(name);
  if (typeof example === 'string') return example;
  if (typeof example === 'number') return new WrittenJson(String(example));
  if (allowed !== undefined) return allowed[0] as string;
  if (type === 'object') {
    const members = required.map((member) => [member, exampleValue(description, properties[member]!, member)] as const);
    return new WireObject(members);
  }
  if (type === 'array') return Array.from({ length: rest.minItems ?? 0 }, () => exampleValue(description, items!));
  return fc.sample(validValues(description, schema), { numRuns: 1, seed: 1 })[0]!;
}

function validIntegers(schema: Schema): Arbitrary<WireJson> {
  const bounds = boundsOf(schema);
  const edges = [...EDGES, bounds.min, bounds.max].filter((edge) => edge >= bounds.min && edge <= bounds.max);
  const integers = fc.oneof(fc.bigInt(bounds), fc.constantFrom(...edges));
  // In JSON Schema, a number with an integral value is an integer, however it is written.
  return fc
    .tuple(integers, fc.constantFrom('', '', '', '.0', 'e0'))
    .map(([value, ending]) => (ending === '' ? value : new WrittenJson(`${value}${ending}`, value)));
}

function validTexts({ minLength = 0, maxLength = 400, pattern }: Schema): Arbitrary<string> {
  const regex = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const lengths = { minLength, maxLength };
  const units = fc.constantFrom<'grapheme' | 'binary' | 'binary-ascii'>('grapheme', 'binary', 'binary-ascii');
  const long = fc.constantFrom('x', '\u{1F98A}', '"', '\\').map((character) => character.repeat(maxLength));
  const texts = fc.oneof(
    { weight: 6, arbitrary: units.chain((unit) => fc.string({ unit, ...lengths })) },
    { weight: 1, arbitrary: long },
    ...(regex === undefined ? [] : [{ weight: 6, arbitrary: fc.stringMatching(regex) }]),
  );
  return texts.filter((text) => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength && isKept(text) && (regex === undefined || regex.test(text));
  });
}

/** Whether the database can store the text unchanged. */
function isKept(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function validTimes(): Arbitrary<string> {
  const date = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  const offset = fc.constantFrom('Z', '+00:00', '+14:00', '-11:30');
  return fc.tuple(date, offset).map(([day, end]) => day.toISOString().replace('Z', end));
}

function validObjects(description: Description, { properties = {}, required = [] }: Schema): Arbitrary<WireObject> {
  const members = Object.entries(properties).map(([name, schema]) => {
    const value = validValues(description, schema, name).map((one): [string, WireJson] => [name, one]);
    return required.includes(name) ? value : fc.option(value, { nil: undefined });
  });
  // The order of members has no meaning.
  return fc.tuple(fc.boolean(), fc.tuple(...members)).map(([isReversed, given]) => {
    const present = given.filter((member) => member !== undefined);
    return new WireObject(isReversed ? present.reverse() : present);
  });
}
