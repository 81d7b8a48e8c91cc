import { createExpress } from './express-server.js';

type ParseQuery = (text?: string) => Record<string, string | string[]>;

const parseQuery = createExpress({ bodyLimit: 1, bodiesLimit: 1 }).get('query parser fn') as ParseQuery;

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
    [undefined, {}],
  ])('has these parameters: %j', (text, parameters) => {
    expect({ ...parseQuery(text) }).toEqual(parameters);
  });

  test('keeps every value, however many there are', () => {
    const values = Array.from({ length: 8_000 }, (_, index) => String(index));
    expect(parseQuery(values.map((value) => `a=${value}`).join('&'))['a']).toEqual(values);
  });

  test('may have any name without changing the prototype of objects', () => {
    const query = parseQuery('__proto__=x&constructor=y');
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});
