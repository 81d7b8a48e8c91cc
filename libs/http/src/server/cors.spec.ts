import { corsFields } from './cors.js';
import { originIn } from './parser-refusals.js';

const SHOP = 'https://shop.example';

describe('the fields of CORS where Express knows nothing of the request', () => {
  const originFor = (allowed: Parameters<typeof corsFields>[0]['origin'], origin?: string) => {
    const fields = corsFields(allowed === undefined ? {} : { origin: allowed }, origin);
    return fields[fields.indexOf('Access-Control-Allow-Origin') + 1];
  };

  test.each([
    ['one of a list', ['https://a.example', SHOP], SHOP, SHOP],
    ['the only one, where the request does not tell', [SHOP], undefined, SHOP],
    ['any', undefined, SHOP, '*'],
    ['whoever asks', true, SHOP, SHOP],
    ['a pattern', /shop/, SHOP, SHOP],
  ])('name %s', (_name, allowed, origin, expected) => {
    expect(originFor(allowed, origin)).toBe(expected);
  });

  test.each([
    ['another than those of a list', ['https://a.example', SHOP], 'https://evil.example'],
    ['another than the only one', [SHOP], 'https://evil.example'],
    ['one of several, where the request does not tell', ['https://a.example', SHOP], undefined],
    ['whom CORS is off for', false, SHOP],
    ['whom a function would decide about', () => undefined, SHOP],
  ])('do not name %s', (_name, allowed, origin) => {
    expect(corsFields({ origin: allowed }, origin)).toEqual([]);
  });
});

describe('the origin in what is no request', () => {
  test.each([
    [`GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${SHOP}\r\nX: y`, SHOP],
    [`x\r\norigin:\t${SHOP} \r\n`, SHOP],
    ['GET /?Origin: https://evil.example HTTP/1.1\r\n', undefined],
    ['X-Origin: https://evil.example\r\n', undefined],
    ['Origin: a b\r\n', undefined],
    ['', undefined],
  ])('of %j is %s', (text, origin) => {
    expect(originIn(Buffer.from(text))).toBe(origin);
  });
});
