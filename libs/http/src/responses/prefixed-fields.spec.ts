import { prefixedFields, prefixedValue } from './prefixed-fields.js';

describe('a header field behind a proxy that takes /shop off', () => {
  test.each([
    ['Location', '/v1/pets/1', '/shop/v1/pets/1'],
    ['location', '/', '/shop/'],
    ['Link', '</v1/pets?limit=1>; rel="next"', '</shop/v1/pets?limit=1>; rel="next"'],
    ['Link', '</a>; rel="next", </b>; rel="prev"', '</shop/a>; rel="next", </shop/b>; rel="prev"'],
    ['LINK', '</a>,</b>,  </c>', '</shop/a>,</shop/b>,  </shop/c>'],
  ])('%s: %s becomes %s', (name, value, expected) => {
    expect(prefixedValue(name, value, '/shop')).toBe(expected);
  });

  test.each([
    ['Location', 'https://other.example/v1'],
    ['Location', '//other.example/v1'],
    ['Location', 'pets/1'],
    ['Link', '<https://other.example/v1>; rel="next"'],
    ['Link', '<//other.example/v1>; rel="next"'],
    ['Link', '<#part>; rel="help"; title="</b>"'],
    ['ETag', '"/v1"'],
    ['X-Location', '/v1'],
  ])('%s: %s stays as it is', (name, value) => {
    expect(prefixedValue(name, value, '/shop')).toBe(value);
  });

  test('has the prefix in each of several values', () => {
    expect(prefixedValue('Link', ['</a>', '</b>'], '/shop')).toEqual(['</shop/a>', '</shop/b>']);
  });

  test('is found among others', () => {
    expect(prefixedFields(['ETag', '/x', 'Link', '</a>', 'Link', '</b>', 'Location', '/c'], '/shop')).toEqual([
      ...['ETag', '/x', 'Link', '</shop/a>', 'Link', '</shop/b>', 'Location', '/shop/c'],
    ]);
  });
});
