import * as fc from 'fast-check';
import { parse, parseJson, stringify, writeJson } from './json.js';
import { ANIMAL, type Animal } from './pets.js';

const INT64S = ['9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-1', '7'];

describe('JSON', () => {
  test.each(INT64S)('reads and writes %s', (digits) => {
    const value = parseJson(`{"id":${digits}}`, { id: 'int64' });
    expect(value).toEqual({ id: BigInt(digits) });
    expect(writeJson(value, { id: 'int64' })).toBe(`{"id":${digits}}`);
  });

  test('makes bigint of what is declared, and of what a number would round', () => {
    const text =
      '[{"id":1,"count":2,"size":9007199254740993,"float":1152921504606847000,"lines":[{"sku":3,"n":1.5}],"ids":[4,9223372036854775807]}]';
    const value = parseJson(text, [{ id: 'int64', lines: [{ sku: 'int64' }], ids: ['int64'] }]);
    expect(value).toEqual([
      {
        id: 1n,
        count: 2,
        size: 9007199254740993n,
        float: 2 ** 60,
        lines: [{ sku: 3n, n: 1.5 }],
        ids: [4n, 9223372036854775807n],
      },
    ]);
  });

  test('leaves out what may be absent or null', () => {
    expect(parseJson('{"id":null}', { id: 'int64?', other: 'int64?' })).toEqual({ id: null });
  });

  test.each(['{}', '{"id":null}'])('names an int64 that is missing in %s', (text) => {
    expect(() => parseJson(text, { id: 'int64' })).toThrow('id is no 64-bit integer');
  });

  test.each(['9223372036854775808', '-9223372036854775809', '1.5', '9007199254740993.5', '1e30', '"1"', '{}'])(
    'takes %s for no int64',
    (text) => {
      expect(() => parseJson(`{"id":${text},"more":9007199254740993}`, { id: 'int64' })).toThrow(TypeError);
    },
  );

  test('refuses an int64 of a million digits without converting them', () => {
    const text = `{"id":${'7'.repeat(1_000_000)}}`;
    let message = '';
    try {
      parseJson(text, { id: 'int64' });
    } catch (error) {
      message = String(error);
    }
    expect(message).toBe('TypeError: id is no 64-bit integer, but Infinity');
  });

  test.each(['9007199254740993,', '{"id":01,"more":9007199254740993}', '[9007199254740993', '"9007199254740993', ''])(
    'refuses what is no JSON: %s',
    (text) => {
      expect(() => parseJson(text, undefined)).toThrow(SyntaxError);
    },
  );

  test('tells integers from strings that look like them', () => {
    const value = {
      id: 2n ** 62n,
      name: 'n1',
      'n2"': 's',
      s: 'n9007199254740993',
      '\\"': '"n3"',
      n4: ['n5', '\\', ''],
    };
    const text = writeJson(value, { id: 'int64' });
    expect(JSON.parse(text)).toEqual({ ...value, id: Number(value.id) });
    expect(parseJson(text, { id: 'int64' })).toEqual(value);
  });

  test('writes any value with any strings, and reads it again', () => {
    const strings = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => text !== '__proto__');
    const values = fc.dictionary(
      strings,
      fc.oneof(strings, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    );
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(values, integers, (rest, id) => {
        const text = writeJson({ rest, id }, { id: 'int64' });
        expect(parseJson(text, { id: 'int64' })).toEqual({ rest: JSON.parse(JSON.stringify(rest)) as unknown, id });
      }),
    );
  });

  test('writes a safe integer where an int64 is meant, and a number elsewhere', () => {
    expect(writeJson({ id: 7, price: 1e20 }, { id: 'int64' })).toBe('{"id":7,"price":100000000000000000000}');
  });

  test.each([2 ** 53, -(2 ** 53), 1.5, NaN, Infinity])('refuses to write %s for an int64', (id) => {
    expect(() => writeJson({ id }, { id: 'int64' })).toThrow('bigint');
  });

  test('does not touch what it writes', () => {
    const value = Object.freeze({ id: 7, lines: Object.freeze([1n]), at: new Date(0) });
    expect(writeJson(value, { id: 'int64', lines: ['int64'] })).toBe(
      '{"id":7,"lines":[1],"at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  test('is read and written for a caller who stores an animal', () => {
    const rex: Animal = { id: 1n, name: 'Rex', categoryId: 9223372036854775807n, status: 'sold' };
    const text = stringify([rex]);
    expect(text).toBe('[{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold"}]');
    expect(parse<Animal[]>(text, [ANIMAL])).toEqual([rex]);
    expect(parse(text)).toEqual([{ ...rex, id: 1 }]);
    expect(stringify({ id: 1n, name: 'n1' }, 2)).toBe('{\n  "id": 1,\n  "name": "n1"\n}');
    expect(() => stringify(undefined)).toThrow('JSON has no text for undefined');
  });

  test('writes bigint as numbers also where the program gave them a toJSON', () => {
    Object.assign(BigInt.prototype, { toJSON: () => 'another' });
    try {
      expect(writeJson({ id: 9007199254740993n }, { id: 'int64' })).toBe('{"id":9007199254740993}');
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  });
});

test('Texts of a megabyte with quotes and blanks are read', () => {
  const text = JSON.stringify({ name: '\\"x'.repeat(400_000), blank: ' '.repeat(400_000), id: 'ID' });
  const value = parseJson(text.replace('"ID"', '9007199254740993'), { id: 'int64' }) as { id: bigint };
  expect(value.id).toBe(9007199254740993n);
});
