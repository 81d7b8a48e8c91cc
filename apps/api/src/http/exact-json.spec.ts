import fc from 'fast-check';
import { parseExactJson, RepeatedMemberError, stringifyExactJson } from './exact-json.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const zeros = fc.nat(30).map((count) => '0'.repeat(count));

describe('an integer', () => {
  test('survives the way in and out with all its digits', () => {
    fc.assert(
      fc.property(fc.array(int64), (integers) => {
        expect(parseExactJson(stringifyExactJson(integers))).toEqual(integers);
      }),
      { examples: [[[9007199254740993n, 9223372036854775807n, -9223372036854775808n, 0n]]] },
    );
  });

  test('is written as a JSON number', () => {
    expect(stringifyExactJson({ id: 9007199254740993n, ids: [1n] })).toBe('{"id":9007199254740993,"ids":[1]}');
  });

  test('is the same however many zeros its fraction has', () => {
    fc.assert(
      fc.property(int64, zeros, (integer, fraction) => {
        expect(parseExactJson(`${integer}.0${fraction}`)).toBe(integer);
      }),
    );
  });

  test.each([
    [`1.${'0'.repeat(10_000)}`, 1n],
    [`${'1'.padEnd(1_000, '0')}e-999`, 1n],
  ])('may be written with more digits than it has', (text, integer) => {
    expect(parseExactJson(text)).toBe(integer);
  });

  test('is left a number when it has more digits than anybody means', () => {
    expect(parseExactJson('1e999999999')).toBe(Infinity);
  });

  test('may be written with an exponent', () => {
    fc.assert(
      fc.property(int64, fc.nat(30), fc.constantFrom('e', 'E', 'e+', 'E+'), (integer, exponent, e) => {
        expect(parseExactJson(`${integer}${e}${exponent}`)).toBe(integer * 10n ** BigInt(exponent));
      }),
    );
  });

  test('may be written with zeros that a negative exponent takes away', () => {
    fc.assert(
      fc.property(int64, fc.nat(30), (integer, exponent) => {
        expect(parseExactJson(`${integer * 10n ** BigInt(exponent)}e-${exponent}`)).toBe(integer);
      }),
    );
  });

  test('may be written with a fraction that a positive exponent makes whole', () => {
    const digits = fc.stringMatching(/^[0-9]{1,20}$/);
    fc.assert(
      fc.property(fc.nat(), digits, fc.nat(10), (whole, fraction, more) => {
        const text = `${whole}.${fraction}e${fraction.length + more}`;
        expect(parseExactJson(text)).toBe(BigInt(`${whole}${fraction}${'0'.repeat(more)}`));
      }),
    );
  });

  test.each([
    ['1.0', 1n],
    ['1e3', 1000n],
    ['100e-2', 1n],
    ['1.5e1', 15n],
    ['0.10e1', 1n],
    ['-0', 0n],
    ['0.0', 0n],
    ['0e999999999999', 0n],
    ['0e-999999999999', 0n],
    ['1e18', 1_000_000_000_000_000_000n],
    ['9223372036854775807.000', 9223372036854775807n],
  ])('is what %s means', (text, value) => {
    expect(parseExactJson(text)).toBe(value);
  });

  test('of more digits than anybody means is no bigint, so that it costs nothing', () => {
    expect([parseExactJson('1e401'), parseExactJson('1e99999999999'), parseExactJson('9'.repeat(401))]).toEqual([
      Infinity,
      Infinity,
      Infinity,
    ]);
  });
});

describe('a fraction', () => {
  test.each(['1.5', '1e-1', '0.1e0', '100e-3', '-0.5', '1.0000000000000000001', '1e-999999999999', '5e-324'])(
    'stays a number: %s',
    (text) => {
      expect(parseExactJson(text)).toBe(Number(text));
    },
  );
});

describe('any other JSON', () => {
  test('is read as JSON.parse reads it, and written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringifyExactJson(parseExactJson(JSON.stringify(value)));
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    '+1',
    '1.',
    '.5',
    '0x10',
    'NaN',
    "'a'",
    '1n',
    '{"a":1}x',
    '\uFEFF1',
  ])('is refused when it is none: %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  test('may name a member __proto__, which stays a plain member', () => {
    const value = parseExactJson('{"__proto__":{"admin":true}}') as object;
    expect({ names: Object.keys(value), inherited: Reflect.get(Object.prototype, 'admin') as unknown }).toEqual({
      names: ['__proto__'],
      inherited: undefined,
    });
  });
});

describe('a member that is given twice', () => {
  test.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"b":2,"a":3,"b":4}', ['a', 'b']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"a" : 1,\n"a"\t:2}', ['a']],
    ['{"x":{"a":1,"a":2}}', ['a']],
    ['[{"a":1},{"a":1,"a":2}]', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"\\"":1,"\\"":2}', ['"']],
    ['{"0":1,"0":2}', ['0']],
    ['{"":1,"":2}', ['']],
    ['{"a":{"b":1},"a":1}', ['a']],
  ])('is refused by name: %s', (text, names) => {
    expect(() => parseExactJson(text)).toThrow(new RepeatedMemberError(names));
  });

  test.each([
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":"\\"b\\":1","b":"\\"b\\":2"}',
    '{"a":"b","b":"a"}',
    '["a","a"]',
    '{"a":["a:","a:"]}',
  ])('is not seen where there is none: %s', (text) => {
    expect(parseExactJson(text)).toEqual(
      JSON.parse(text, (_, value: unknown) => (value === 1 || value === 2 ? BigInt(value) : value)),
    );
  });

  test('is found in a text of a megabyte of escapes without running out of stack', () => {
    const long = JSON.stringify('\n"\\'.repeat(170_000));
    expect(() => parseExactJson(`{"a":${long},"a":${long}}`)).toThrow(RepeatedMemberError);
  });
});
