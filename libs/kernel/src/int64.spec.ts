import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.js';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

describe('isInt64', () => {
  test.each([INT64_MIN, -1n, 0n, 1n, INT64_MAX])('accepts %p', (value) => {
    expect(isInt64(value)).toBe(true);
  });

  test.each([INT64_MIN - 1n, INT64_MAX + 1n, 2n ** 100n])('refuses %p, which needs more than 64 bits', (value) => {
    expect(isInt64(value)).toBe(false);
  });

  test.each([1, '1', null, undefined, true, {}, Number.NaN])('refuses %p, which is no bigint', (value) => {
    expect(isInt64(value)).toBe(false);
  });
});

describe('parseInt64', () => {
  test('reads every int64 from its decimal form', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(parseInt64(value.toString())).toBe(value);
      }),
      { examples: [[INT64_MIN], [INT64_MAX], [0n], [9007199254740993n]] },
    );
  });

  test('reads no text but the one that the value is printed as', () => {
    const almost = fc.oneof(fc.string(), fc.stringMatching(/^[-+ 0-9.eExX_n]{1,22}$/));
    fc.assert(
      fc.property(almost, (text) => {
        const value = parseInt64(text);
        expect(value === undefined || value.toString() === text).toBe(true);
      }),
    );
  });

  test.each([
    '',
    '-',
    '-0',
    '+1',
    '01',
    '-01',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '1e3',
    '0x10',
    '1_000',
    '1n',
    '١',
    '１',
    'NaN',
    '9223372036854775808',
    '-9223372036854775809',
  ])('refuses %j', (text) => {
    expect(parseInt64(text)).toBeUndefined();
  });

  test('refuses a text of a million digits at once', () => {
    expect(parseInt64('9'.repeat(1_000_000))).toBeUndefined();
  });
});
