import { comparable } from './output.js';

/** Whether a page with this output would pass for the actual output. */
function agree(language: string, shown: string, actual: string): boolean {
  const { shown: told, actual: real } = comparable(language, shown, actual);
  return JSON.stringify(told) === JSON.stringify(real);
}

describe('an output of a page', () => {
  test.each([
    ['text', 'two\nlines', 'two\nlines\n'],
    ['text', 'Created shop:\n  aslive_…', 'Created shop:\n  asdev_0986jvvzd9lmxg6r7uf4su2iptie7kj_09hiumt'],
    ['text', 'expires 2027-02-20', 'expires 2026-11-23'],
    ['json', '[{ "id": 1 }]', '[{"id":1}]'],
    ['http', 'HTTP/1.1 200 OK\nETag: "a"', 'HTTP/1.1 200 OK\r\nX-Frame: no\r\nEtag: "a"\r\n\r\n'],
    ['http', 'HTTP/1.1 200 OK\n\n[]', 'HTTP/1.1 200 OK\r\nX-Frame: no\r\n\r\n[]\n'],
    ['http', 'HTTP/1.1 201 Created', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\n'],
    [
      'http',
      'HTTP/1.1 200 OK\nLink: </v1/pets?limit=2&cursor=AbC>; rel="next"',
      'HTTP/1.1 200 OK\r\nLink: </v1/pets?limit=2&cursor=x_-1>; rel="next"\r\n\r\n',
    ],
  ])('agrees as %s with what differs only from run to run', (language, shown, actual) => {
    expect(agree(language, shown, actual)).toBe(true);
  });

  test.each([
    ['text', 'two\nlines', 'two lines'],
    ['json', '{ "id": 9007199254740993 }', '{"id":9007199254740992}'],
    ['json', '[{ "id": 1 }]', '[{"id":1},{"id":2}]'],
    ['http', 'HTTP/1.1 200 OK', 'HTTP/1.1 201 Created\r\n\r\n'],
    ['http', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK\r\n\r\n[]'],
    ['http', 'HTTP/1.1 200 OK\nETag: "a"', 'HTTP/1.1 200 OK\r\nETag: "b"\r\n\r\n'],
    ['http', 'HTTP/1.1 200 OK\nLink: </v1/pets>', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['http', 'HTTP/1.1 200 OK\n\n[1]', 'HTTP/1.1 200 OK\r\n\r\n[2]'],
  ])('does not agree as %s with another one', (language, shown, actual) => {
    expect(agree(language, shown, actual)).toBe(false);
  });
});
