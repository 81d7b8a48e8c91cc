import { linkOf, retryAfterOf } from './header-fields.js';

test.each([
  ['</v1/pets?cursor=a,b>; rel="next"', '/v1/pets?cursor=a,b'],
  ['</a>; rel=next', '/a'],
  ['</a>; REL="prev Next"; title="x"', '/a'],
  ['</v2>; rel="successor-version", </b>; rel="next"', '/b'],
  ['</a>; title="rel=next"', undefined],
  ['</a>; rel="prev"; rel="next"', undefined],
  ['</a>; rel="next', '/a'],
  ['</a>; rel="nextish"', undefined],
  ['', undefined],
  ['nonsense', undefined],
])('The next page of Link: %s is %s', (link, address) => {
  expect(linkOf(new Headers({ link }), 'next')).toBe(address);
});

test.each(['<', '"', '; ', ' ', '<a>', '</a>; rel="', 'x '])(
  'A Link that repeats %j is read in time that grows with its length',
  (part) => {
    // In time that grows with the square of the length, `<` would take half an hour.
    const link = `</a>;${part.repeat(2_000_000 / part.length)}`;
    expect(linkOf(new Headers({ link: `${link}\t,` }), 'next')).toBeUndefined();
  },
);

describe('Retry-After', () => {
  const now = Date.parse('2026-11-23T00:00:00Z');

  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Mon, 23 Nov 2026 00:00:30 GMT', 30_000],
    ['Sun, 22 Nov 2026 00:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
  ])('%j asks for %s ms', (text, wait) => {
    expect(retryAfterOf(new Headers({ 'retry-after': text }), now)).toBe(wait);
  });
});
