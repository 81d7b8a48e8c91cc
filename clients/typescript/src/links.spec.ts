import { linkOf } from './links.js';

test.each([
  ['</v1/pets?cursor=a,b>; rel="next"', '/v1/pets?cursor=a,b'],
  ['</a>; rel=next', '/a'],
  ['</a>; REL="prev Next"; title="x"', '/a'],
  ['</v2>; rel="successor-version", </b>; rel="next"', '/b'],
  ['</a>; title="rel=next"', undefined],
  ['</a>; title="\\"; rel=next; <"; rel="next"', '/a'],
  ['</a>; title="</b>; rel=next"', undefined],
  ['</a>; rel="prev"; rel="next"', undefined],
  ['</a>; rel = "next" , </b>', '/a'],
  ['</a>; rel="next', '/a'],
  ['</a>; rel="nextish"', undefined],
  ['', undefined],
  ['nonsense', undefined],
])('The next page of Link: %s is %s', (link, address) => {
  expect(linkOf(new Headers({ link }), 'next')).toBe(address);
});

test.each(['<', '"', '; ', '</a>; rel="'])(
  'A Link that repeats %j is read in time that grows with its length',
  (part) => {
    // In time that grows with the square of the length, `<` would take half an hour.
    const link = `</a>;${part.repeat(2_000_000 / part.length)}`;
    expect(linkOf(new Headers({ link: `${link}\t,` }), 'next')).toBeUndefined();
  },
);
