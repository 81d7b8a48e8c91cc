import fc from 'fast-check';
import { parseExactJson, stringifyExactJson } from './exact-json.js';

const { jest } = import.meta;

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** An integer as it is parsed: a `number` where that holds it. */
function parsed(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

describe('an integer', () => {
  test('keeps all its digits on the way in and out', () => {
    fc.assert(
      fc.property(fc.array(int64), (integers) => {
        expect(parseExactJson(stringifyExactJson(integers))).toEqual(integers.map(parsed));
      }),
      { examples: [[[9007199254740993n, 9223372036854775807n, -9223372036854775808n, 0n]]] },
    );
  });

  test('is written as a JSON number wherever it is', () => {
    const value = { id: 9007199254740993n, ids: [{ b: 1n }], own: { toJSON: () => ({ id: 2n }) } };
    expect(stringifyExactJson(value)).toBe('{"id":9007199254740993,"ids":[{"b":1}],"own":{"id":2}}');
  });

  test.each([
    ['1.0', 1],
    ['1e3', 1000],
    ['100e-2', 1],
    ['1.5e1', 15],
    ['-0', -0],
    ['0e999999999999', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['1e18', 1_000_000_000_000_000_000n],
    ['9223372036854775807.000', 9223372036854775807n],
    ['9223372036854775807000e-3', 9223372036854775807n],
    ['92233720368547758.07e2', 9223372036854775807n],
  ])('is what %s means', (text, value) => {
    expect(parseExactJson(`{"a":[${text}]}`)).toEqual({ a: [value] });
  });
});

describe('a number', () => {
  test.each(['1.0000000000000000001', '-1.0000000000000000001e3', '9007199254740993.5', '1e-324', '0.1e-400'])(
    'that would be rounded to an integer becomes NaN, which every rule refuses: %s',
    (text) => {
      expect(parseExactJson(`[${text}]`)).toEqual([NaN]);
    },
  );

  test.each(['1.5', '0.1', '1e-5', '1e50', '1e399'])('that is none of these is the one of JSON.parse: %s', (text) => {
    expect(parseExactJson(text)).toBe(Number(text));
  });

  test('of more than 50 characters becomes NaN, and nothing is made of it', () => {
    const long = `1.${'0'.repeat(100_000)}1`;
    const exec = jest.spyOn(RegExp.prototype, 'exec');
    const made = jest.spyOn(globalThis, 'BigInt');
    const text = `{"a":${long},"b":9007199254740993}`;
    const value = parseExactJson(text);
    const searched = exec.mock.calls.map(([searchedText]) => searchedText.length).filter((length) => length > 0);
    const bigints = made.mock.calls.length;
    exec.mockRestore();
    made.mockRestore();
    expect(value).toEqual({ a: NaN, b: 9007199254740993n });
    expect([searched, bigints]).toEqual([[text.length, 16], 1]);
  });
});

describe('any other JSON', () => {
  const any = fc.json({ noUnicodeString: false });

  test('is read as JSON.parse reads it, and refused as JSON.parse refuses it', () => {
    const damaged = fc.tuple(any, fc.nat(), fc.constantFrom('', '"', '{', ']', ',', '0', '\\'));
    const texts = fc.oneof(
      any,
      damaged.map(([text, at, more]) => text.slice(0, at % (text.length + 1)) + more + text.slice(at % text.length)),
    );
    const outcome = (parse: (text: string) => unknown, text: string) => {
      try {
        return { value: parse(text) };
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        const expected = outcome(JSON.parse, text);
        fc.pre(!/[0-9]{15}|[0-9][eE.]/.test(text));
        expect(outcome(parseExactJson, text)).toStrictEqual(expected);
      }),
    );
  });

  test('may name a member __proto__, which stays a plain member', () => {
    const value = parseExactJson('{"__proto__":{"admin":1.0}}') as object;
    expect([Object.keys(value), Reflect.get(Object.prototype, 'admin')]).toEqual([['__proto__'], undefined]);
  });
});
