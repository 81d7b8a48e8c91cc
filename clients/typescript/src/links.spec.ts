import { linkOf } from './links.js';

test.each([
  ['</v1/pets?cursor=a,b>; rel="next"', '/v1/pets?cursor=a,b'],
  ['</a>; rel=next', '/a'],
  ['</a>; REL="prev Next"; title="x"', '/a'],
  ['</v2>; rel="successor-version", </b>; rel="next"', '/b'],
  ['</a>; title="rel=next"', undefined],
  ['</a>; rel="nextish"', undefined],
  ['', undefined],
  ['nonsense', undefined],
])('The next page of Link: %s is %s', (link, address) => {
  expect(linkOf(new Headers({ link }), 'next')).toBe(address);
});
