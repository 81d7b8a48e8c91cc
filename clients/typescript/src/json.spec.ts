import * as fc from 'fast-check';
import { digitsOf, isInt64, parse, stringify } from './json.js';

const INT64S = ['9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-1', '7'];

describe('JSON', () => {
  test.each(INT64S)('reads and writes %s', (digits) => {
    const value = parse(`{"id":${digits}}`) as { id: bigint };
    expect(value).toEqual({ id: BigInt(digits) });
    expect(isInt64(value.id)).toBe(true);
    expect(stringify(value)).toBe(`{"id":${digits}}`);
  });

  test('makes bigint of ids, and of what a number would round', () => {
    const text =
      '[{"id":1,"count":2,"size":9007199254740993,"float":1152921504606847000,"lines":[{"categoryId":3,"n":1.5}]}]';
    expect(parse(text)).toEqual([
      { id: 1n, count: 2, size: 9007199254740993n, float: 2 ** 60, lines: [{ categoryId: 3n, n: 1.5 }] },
    ]);
  });

  test.each(['9223372036854775808', '-9223372036854775809', '1.5', '9007199254740993.5', '1e30', '"1"', '{}', 'null'])(
    'takes %s for no int64',
    (text) => {
      expect(isInt64((parse(`{"id":${text},"more":9007199254740993}`) as { id: unknown }).id)).toBe(false);
    },
  );

  test('takes a million digits for no int64 without converting them', () => {
    expect(parse(`{"id":${'7'.repeat(1_000_000)}}`)).toEqual({ id: Infinity });
  });

  test.each(['9007199254740993,', '{"id":01,"more":9007199254740993}', '[9007199254740993', '"9007199254740993', ''])(
    'refuses what is no JSON: %s',
    (text) => {
      expect(() => parse(text)).toThrow(SyntaxError);
    },
  );

  test('writes any value with any strings, and reads it again', () => {
    const strings = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => text !== '__proto__');
    const values = fc.dictionary(
      strings,
      fc.oneof(strings, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    );
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(values, integers, (rest, id) => {
        const again = { rest: JSON.parse(JSON.stringify(rest)) as unknown, id };
        expect(parse(stringify({ rest, id }))).toEqual(again);
      }),
    );
  });

  test.each([2 ** 53, -(2 ** 53), 1.5, NaN, Infinity])('has no exact digits of %s', (id) => {
    expect(() => digitsOf(id)).toThrow('bigint');
  });
});
