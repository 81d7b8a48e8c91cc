import fc from 'fast-check';
import {
  exactReplacer,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  parseExactJson,
  parseJsonBody,
  type SourceTextJson,
  stringifyExactJson,
} from './exact-json.js';
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
  return (JSON as unknown as SourceTextJson).parse(text, (_name, member, { source }) =>
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

/** Whether an object gives a name twice: as many are written as are parsed where none does. */
function repeats(text: string): boolean {
  let members = 0;
  JSON.parse(text, function (this: unknown, name: string, value: unknown) {
    if (!Array.isArray(this)) members += 1;
    return value;
  });
  const written =
    text.match(/"[^"\\]*(?:\\.[^"\\]*)*"[ \t\n\r]*:?/g)?.filter((token) => token.endsWith(':')).length ?? 0;
  return written > members - 1;
}

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
  ])(
    'that is %s is read or refused as JSON.parse does it, but for integers and repeated members',
    (_what, arbitrary) => {
      fc.assert(
        fc.property(arbitrary, (text) => {
          const expected = outcome((given) => {
            const value = parsedBySource(given);
            if (repeats(given)) throw RequestError.invalid([]);
            return value;
          }, text);
          expect(outcome(parseExactJson, text)).toStrictEqual(expected);
        }),
        { numRuns: 1_000 },
      );
    },
  );
});

test('numbers beside a name that the engine misreads are read to the end', () => {
  // V8 13.6 reads the second name of the second text as that of the first.
  for (let round = 0; round < 3; round += 1) parseExactJson('{"":"x","\\\\":true}');
  expect(parseExactJson('{"":1.0,"\\u0061":[1.0,{"b":9007199254740993}],"c":9007199254740993}')).toMatchObject({
    '': 1,
    c: 9007199254740993n,
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

describe('a member that is given twice', () => {
  test.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"b":2,"a":3,"b":4}', ['a', 'b']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"x":{"a":1,"a":2}}', ['a']],
    ['[{"a":1},{"a":1,"a":2}]', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"\\"":1,"\\"":2}', ['"']],
    ['{"a":{"b":1},"a":1}', ['a']],
  ])('is refused by name: %s', (text, names) => {
    expect(() => parseExactJson(text)).toThrow(`The body gives ${names.join(', ')} more than once`);
  });

  test('is refused by name where the engine misreads it', () => {
    // V8 13.6 reads the second name of the second text as that of the first, and so as another than the third.
    for (let round = 0; round < 3; round += 1) parseExactJson('{"misread":1,"\\\\":1,"a":1}');
    expect(() => parseExactJson('{"misread":1,"\\u0061":2,"a":3}')).toThrow('The body gives a more than once');
  });

  test.each([
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":"\\"b\\":1","b":"\\"b\\":2"}',
    '{"a":"b","b":"a"}',
    '["a","a"]',
    '{"a":["a:","a:"]}',
  ])('is not seen where there is none: %s', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  test('is found in a text of a megabyte of escapes without running out of stack', () => {
    const long = JSON.stringify('\n"\\'.repeat(170_000));
    expect(() => parseExactJson(`{"a":${long},"a":${long}}`)).toThrow('more than once');
  });

  test('is told by the first of them where thousands are, each cut to a length that one can read', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `${index}${'x'.repeat(100)}`);
    const text = `{${names.map((name) => `"${name}":1,"${name}":1`).join(',')}}`;
    expect(() => parseExactJson(text)).toThrow(
      /^The body gives 0x{63}…, 1x{63}…, .* and 4,980 other names more than once$/,
    );
  });
});

function refusal(text: string): string {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

describe('a body that is no JSON', () => {
  test.each([
    ['{"a":1,}', ', from line 1, column 8 on'],
    ['{"a":1 "b":2}', ', from line 1, column 8 on'],
    ['{\n  "a": 1\n  "b": 2\n}', ', from line 3, column 3 on'],
    [`{"a":1}${' '.repeat(1_000)}x`, ', from line 1, column 1008 on'],
    ['{"a":"\n"}', ', from line 1, column 7 on'],
    ['{"a":1.}', ', from line 1, column 8 on'],
    ['{"a":1,\r\n"b":NaN}', ', from line 2, column 5 on'],
    ['{"a":tru,"b":1}', ', from line 1, column 9 on'],
    ['{"NaN":NaN}', ', from line 1, column 8 on'],
    ['<pet/>', ', from line 1, column 1 on'],
    ['undefined', ', from line 1, column 1 on'],
    ['{"a":', ': it ends too early'],
    ['', ': it ends too early'],
  ])('is refused with the line and the column where it ceases to be: %j', (text, place) => {
    expect(refusal(text)).toBe(`The body is not valid JSON${place}`);
  });

  test.each(['{"Unexpected end of JSON input": y}', '{"position 1 (line 1 column 2)":y}', '{"position 7": y}'])(
    'is not read for its place: %j',
    (text) => {
      expect(refusal(text)).toBe(`The body is not valid JSON, from line 1, column ${text.indexOf('y}') + 1} on`);
    },
  );

  test('is refused without a place where it is long and the engine tells none', () => {
    expect(refusal(`["${'a'.repeat(20_000)}",NaN]`)).toBe('The body is not valid JSON');
  });
});

function nested(depth: number): string {
  return '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
}

describe('a JSON text', () => {
  test('may be nested 100 levels deep', () => {
    expect(() => parseExactJson(nested(MAX_JSON_DEPTH))).not.toThrow();
  });

  test.each([
    ['one level more', `[${nested(MAX_JSON_DEPTH)}]`],
    ['100000 objects', '{"a":'.repeat(100_000)],
    ['a million lists', '['.repeat(1_000_000)],
  ])('is refused when it is nested deeper: %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow('The body is nested more than 100 levels deep');
  });

  test('is not deep because of what closed before, or stands in a string', () => {
    const text = `["${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}",${'[{}],'.repeat(1_000)}1]`;
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  test('may hold 20,000 members and elements', () => {
    expect(parseExactJson(`[${'1,'.repeat(MAX_JSON_VALUES - 1)}1]`)).toHaveLength(MAX_JSON_VALUES);
  });

  test.each([
    ['elements', `[${'1,'.repeat(MAX_JSON_VALUES)}1]`],
    ['members', `{${Array.from({ length: MAX_JSON_VALUES + 1 }, (_, index) => `"${index}":1`).join(',')}}`],
    ['objects', `[${'{"a":1},'.repeat(MAX_JSON_VALUES / 2)}{}]`],
    ['lists that are empty', `[${'[],'.repeat(MAX_JSON_VALUES / 2)}[]]`],
  ])('is refused when it holds more: %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow('The body holds more than 20,000 members and elements');
  });

  test('may be as long as it likes in what it holds', () => {
    const text = JSON.stringify({ a: ',:[{'.repeat(250_000) });
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });
});
