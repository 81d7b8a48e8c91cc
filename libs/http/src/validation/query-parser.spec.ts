import { createQueryParser } from './query-parser.js';

describe('the query of an address', () => {
  const parse = createQueryParser();

  test.each<[string, object]>([
    ['', {}],
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[b]=1&c.d=2', { 'a[b]': '1', 'c.d': '2' }],
    ['a=%20+%zz', { a: '  %zz' }],
    [
      '__proto__=1&constructor=2',
      Object.fromEntries([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    ],
  ])('%s is flat, and decoded', (text, query) => {
    expect(Object.entries(parse(text))).toEqual(Object.entries(query));
  });

  test('keeps each of more than a thousand parameters', () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `p${index}=1`).join('&');
    expect(Object.keys(parse(text)).length).toBe(2_000);
  });

  test('is the same frozen object for the same text, if that is short', () => {
    const long = `a=${'x'.repeat(1_000)}`;
    expect(parse('a=1')).toBe(parse('a=1'));
    expect(Object.isFrozen(parse('a=1'))).toBe(true);
    expect(parse(long)).not.toBe(parse(long));
    expect(Object.isFrozen(parse(long))).toBe(false);
  });

  test('is forgotten when a thousand others came', () => {
    const first = parse('first=1');
    for (let index = 0; index < 1_000; index += 1) parse(`other=${index}`);
    expect(parse('first=1')).toEqual(first);
    expect(parse('first=1')).not.toBe(first);
  });
});
