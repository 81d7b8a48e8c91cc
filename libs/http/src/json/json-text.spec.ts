import { parseExactJson } from './exact-json.js';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from './json-text.js';

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
