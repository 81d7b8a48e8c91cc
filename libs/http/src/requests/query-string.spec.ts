import fc from 'fast-check';
import { queryStringParser } from './query-string.js';

const parseQueryString = queryStringParser();

describe('a query string', () => {
  test.each([
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['limit=', { limit: '' }],
    ['limit', { limit: '' }],
    ['a=%20b+c%26', { a: ' b c&' }],
    ['a=1=2', { a: '1=2' }],
    ['%6Cimit=5', { limit: '5' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['', {}],
    [undefined, {}],
  ])('gives its parameters: %j', (text, parameters) => {
    expect({ ...parseQueryString(text) }).toEqual(parameters);
  });

  test('gives every value of a parameter that repeats', () => {
    expect({ ...parseQueryString('a=1&b=x&a=2&a=3') }).toEqual({ a: ['1', '2', '3'], b: 'x' });
  });

  test('gives every value also where thousands have one name', () => {
    const values = Array.from({ length: 8_000 }, (_, index) => String(index));
    expect(parseQueryString(values.map((value) => `a=${value}`).join('&'))['a']).toEqual(values);
  });

  test('is not remembered when it is longer than any that is meant, so that nobody fills the memory with it', () => {
    const text = `a=${'x'.repeat(600)}`;
    expect(parseQueryString(text)).not.toBe(parseQueryString(text));
  });

  test('gives what URLSearchParams gives, for any parameters', () => {
    const parameters = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([name]) => name });
    fc.assert(
      fc.property(parameters, (pairs) => {
        expect(Object.entries(parseQueryString(new URLSearchParams(pairs).toString())).toSorted()).toEqual(
          // Half of a surrogate pair does not survive in an address, whoever reads it.
          pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]).toSorted(),
        );
      }),
    );
  });

  test('may name any parameter without touching the prototype of objects', () => {
    const query = parseQueryString('__proto__=x&constructor=y');
    expect({ names: Object.keys(query), prototype: Object.getPrototypeOf(query) as unknown }).toEqual({
      names: ['__proto__', 'constructor'],
      prototype: null,
    });
  });

  test('gives one and the same object each time', () => {
    expect(parseQueryString('limit=5')).toBe(parseQueryString('limit=5'));
  });

  test('gives an object that nobody can change', () => {
    expect(Object.isFrozen(parseQueryString('limit=6'))).toBe(true);
  });

  test('in which a name repeats gives lists that nobody shares', () => {
    const lists = ['a=1&a=2', 'a=1&a=2'].map((text) => parseQueryString(text)['a'] as string[]);
    lists[0]!.push('3');
    expect(lists[1]).toEqual(['1', '2']);
  });

  test('is understood also when thousands of others were remembered in between', () => {
    for (let index = 0; index < 3000; index++) parseQueryString(`limit=${index}`);
    expect({ ...parseQueryString('limit=7') }).toEqual({ limit: '7' });
  });
});
