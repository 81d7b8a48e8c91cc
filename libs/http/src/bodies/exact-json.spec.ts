import fc from 'fast-check';
import { exactReplacer, parseExactJson, stringifyExactJson } from './exact-json.js';
import { RequestError } from '../errors/request.errors.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const zeros = fc.nat(30).map((count) => '0'.repeat(count));

/** An integer as it is parsed: a `number` where that holds it. */
function parsed(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

describe('an integer', () => {
  test('survives the way in and out with all its digits', () => {
    fc.assert(
      fc.property(fc.array(int64), (integers) => {
        expect(parseExactJson(stringifyExactJson(integers))).toEqual(integers.map(parsed));
      }),
      { examples: [[[9007199254740993n, 9223372036854775807n, -9223372036854775808n, 0n]]] },
    );
  });

  test('is written as a JSON number', () => {
    expect(stringifyExactJson({ id: 9007199254740993n, ids: [1n] })).toBe('{"id":9007199254740993,"ids":[1]}');
  });

  test.each<[string, unknown, string]>([
    ['by a member of a member', { a: [{ b: 1n }] }, '{"a":[{"b":1}]}'],
    ['by toJSON', { a: { toJSON: () => ({ id: 1n }) } }, '{"a":{"id":1}}'],
    ['behind a thousand others', [...new Array<object>(1_000).fill({}), 1n], `[${'{},'.repeat(1_000)}1]`],
  ])('is written as a JSON number where it is held %s', (_what, value, text) => {
    expect(stringifyExactJson(value)).toBe(text);
  });

  test('is written the same beside whatever else there is', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }), (value) => {
        const attempt = (write: () => string) => {
          try {
            return write();
          } catch (error) {
            return String(error);
          }
        };
        expect(attempt(() => stringifyExactJson(value))).toBe(attempt(() => JSON.stringify(value, exactReplacer)));
      }),
    );
  });

  test('is not looked for without end', () => {
    const nodes: Record<string, unknown>[] = Array.from({ length: 100 }, () => ({}));
    for (const node of nodes) node['others'] = nodes;
    expect(() => stringifyExactJson(nodes)).toThrow('circular');
  });

  test.each([
    [`1.${'0'.repeat(10_000)}`, 1],
    [`${'1'.padEnd(1_000, '0')}e-999`, 1],
    [`0.${'0'.repeat(10_000)}9007199254740993e10016`, 9007199254740993n],
  ])('may be written with more digits than it has', (text, integer) => {
    expect(parseExactJson(text)).toBe(integer);
  });

  test.each([
    ['1.0', 1],
    ['1e3', 1000],
    ['100e-2', 1],
    ['1.5e1', 15],
    ['0.10e1', 1],
    ['-0', -0],
    ['0.0', 0],
    ['0e999999999999', 0],
    ['0e-999999999999', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['1e18', 1_000_000_000_000_000_000n],
    ['9223372036854775807.000', 9223372036854775807n],
    ['9223372036854775807000e-3', 9223372036854775807n],
    ['92233720368547758.07e2', 9223372036854775807n],
    ['-9223372036854775808e-0', -9223372036854775808n],
  ])('is what %s means', (text, value) => {
    expect(parseExactJson(text)).toBe(value);
  });

  test.each(['1e50', '1e399', '1e99999999999', '-1e50', '9'.repeat(51), `${'9'.repeat(51)}.0`, '9'.repeat(401)])(
    'of more digits than anybody means stays a number, so that it costs nothing: %s',
    (text) => {
      expect(parseExactJson(text)).toBe(Number(text));
    },
  );
});

describe('a number that is no integer, and would be rounded to one', () => {
  test.each([
    ['1.0000000000000000001', '1'],
    ['0.99999999999999999999', '1'],
    ['-1.0000000000000000001e3', '-1000'],
    ['9007199254740993.5', '9007199254740994'],
    ['1e-999999999999', '0'],
    ['1e-324', '0'],
  ])('is refused: %s', (text, rounded) => {
    const message = `The body gives the number ${text}, which would be rounded to ${rounded}: send fewer digits`;
    for (const body of [text, `[1,${text}]`, `{"a":{"b":${text}}}`])
      expect(() => parseExactJson(body)).toThrow(message);
  });

  test('is refused by its beginning where it is long', () => {
    expect(() => parseExactJson(`[1.${'0'.repeat(1_000)}1]`)).toThrow(
      `The body gives the number 1.${'0'.repeat(62)}…, which would be rounded to 1: send fewer digits`,
    );
  });
});

/** What a number is to become, worked out as a fraction of two integers. */
function expectedNumber(source: string): unknown {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  // Larger ones come about where two numbers run together; they are as good as this one.
  const shift = Math.max(-400, Math.min(400, Number(exponent))) - fraction.length;
  const numerator = BigInt(whole + fraction) * 10n ** BigInt(Math.max(shift, 0));
  const denominator = 10n ** BigInt(Math.max(-shift, 0));
  const rounded = Number(source);
  if (Number.isInteger(rounded) && Math.abs(rounded) < 1e50 && numerator % denominator !== 0n)
    throw RequestError.invalid([]);
  if (numerator % denominator !== 0n) return rounded;
  return Number.isSafeInteger(rounded) || Math.abs(rounded) >= 1e50 ? rounded : numerator / denominator;
}

function parsedBySource(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (...read: [string, unknown, { source?: string }]) => unknown,
  ) => unknown;
  return parse(text, (_name, member, { source }) =>
    typeof member === 'number' && source !== undefined ? expectedNumber(source) : member,
  );
}

const digits = fc.string({ unit: fc.nat(9).map(String), maxLength: 25 });
const numbers = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits.map((text) => text.replace(/^0+/, '') || '0'),
    fraction: fc.oneof(
      fc.constant(''),
      digits.map((text) => `.0${text}`),
      zeros.map((text) => `.${text}0`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(60)).map(([e, value]) => `${e}${value}`),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);

const blanks = fc.constantFrom('', '', ' ', '\t\n', '\r');
const strings = fc.oneof(
  // V8 13.6 takes an escape for a name that begins with a backslash, where an object before had such a name.
  fc.string({ unit: 'binary', maxLength: 5 }).map((text) => JSON.stringify(text.replaceAll('\\', ''))),
  fc.constantFrom('"__proto__"', '"\\u0061"', '"a"', '"\\""', '"1"', '":"', '"{"', '"1e5"', '""'),
);

/** Any JSON text, with blanks wherever they may be; members may repeat. */
const { texts } = fc.letrec<{ texts: string; values: string }>((tie) => ({
  values: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(numbers, strings, fc.constantFrom('true', 'false', 'null', '[]', '{}', '[ ]', '{ }')),
    fc.array(tie('texts'), { minLength: 1, maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
    fc
      .array(fc.tuple(blanks, strings, blanks, tie('texts')), { minLength: 1, maxLength: 4 })
      .map((members) => `{${members.map(([a, name, b, value]) => `${a}${name}${b}:${value}`).join(',')}}`),
  ),
  texts: fc.tuple(blanks, tie('values'), blanks).map((parts) => parts.join('')),
}));

/** The same with a character too many, or with one left out or another in its place. */
const nearlyTexts = fc
  .tuple(
    texts,
    fc.nat(),
    fc.nat(1),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '.', 'e', '-', '\\', '\n'),
  )
  .map(
    ([text, at, left, more]) =>
      text.slice(0, at % (text.length + 1)) + more + text.slice((at % (text.length + 1)) + left),
  );

/** What became of a text: its value, or what was said against it. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    return error instanceof SyntaxError ? error.message : (error as Error).constructor;
  }
}

describe('any text', () => {
  test.each([
    ['JSON', texts],
    ['nearly JSON', nearlyTexts],
  ])('that is %s is read or refused as JSON.parse does it, but for integers', (_what, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        expect(outcome(parseExactJson, text)).toStrictEqual(outcome(parsedBySource, text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any other JSON', () => {
  test('may name a member __proto__, which stays a plain member', () => {
    const value = parseExactJson('{"__proto__":{"admin":true}}') as object;
    expect({ names: Object.keys(value), inherited: Reflect.get(Object.prototype, 'admin') as unknown }).toEqual({
      names: ['__proto__'],
      inherited: undefined,
    });
  });
});
