import { createQueryParser } from './query-parser.js';

const parseQuery = createQueryParser();

describe('a query string', () => {
  test.each([
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['limit=', { limit: '' }],
    ['limit', { limit: '' }],
    ['a=%20b+c%26', { a: ' b c&' }],
    ['a=1=2', { a: '1=2' }],
    ['%6Cimit=5', { limit: '5' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['a=1&b=x&a=2&a=3', { a: ['1', '2', '3'], b: 'x' }],
    ['a=%FF%', { a: '\ufffd%' }],
    ['=5', { '': '5' }],
    ['', {}],
    [null, {}],
  ])('has these parameters: %j', (text, parameters) => {
    expect({ ...parseQuery(text) }).toEqual(parameters);
  });

  test('keeps every value, however many there are', () => {
    const values = Array.from({ length: 8_000 }, (_, index) => String(index));
    expect(parseQuery(values.map((value) => `a=${value}`).join('&'))['a']).toEqual(values);
  });

  test('is one and the same object each time, which nobody can change', () => {
    const query = parseQuery('limit=6');
    expect(parseQuery('limit=6')).toBe(query);
    expect(Object.isFrozen(query)).toBe(true);
  });

  test.each([
    ['a list', 'a=1&a=2'],
    ['a name that the validation removes', 'constructor=1'],
    ['a long text', `a=${'x'.repeat(600)}`],
  ])('is not shared if it has %s', (_what, text) => {
    expect(parseQuery(text)).not.toBe(parseQuery(text));
    expect(Object.isFrozen(parseQuery(text))).toBe(false);
  });

  test('is parsed again when a thousand others came after it', () => {
    const query = parseQuery('first');
    for (let index = 0; index < 1_000; index += 1) parseQuery(String(index));
    expect(parseQuery('first')).not.toBe(query);
  });

  test('may have any name without changing the prototype of objects', () => {
    const query = parseQuery('__proto__=x&constructor=y');
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});
