import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { prepareTarget } from './request-target.js';

function requestFor(target: string, hosts = ['localhost'], minor = 1): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.url = target;
  request.httpVersionMinor = minor;
  request.rawHeaders = ['Accept', '*/*', ...hosts.flatMap((host) => ['hOst', host])];
  return request;
}

/** The target after its preparation. */
function addressAfter(target: string): string | undefined {
  const request = requestFor(target);
  expect(prepareTarget(request)).toBeUndefined();
  return request.url;
}

describe('an address', () => {
  test.each([
    ['/v1/pets/%31?a=%', '/v1/pets/%31?a=%'],
    ['/v1/%F0%9F%90%95', '/v1/%F0%9F%90%95'],
    ['/v1/pets/%', '/v1/pets/%25'],
    ['/v1/pets/%zz', '/v1/pets/%25zz'],
    ['/v1/pets/%FF?limit=%20&a=%', '/v1/pets/%25FF?limit=%20&a=%'],
    ['http://pets.example/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['HTTPS://pets.example', '/'],
    ['http://[::1]:3000?limit=1', '/?limit=1'],
    ['http://pets.example/docs/../v1/pets/%FF', '/docs/../v1/pets/%25FF'],
    ['*', '*'],
  ])('%s is %s for the routes', (target, prepared) => {
    expect(addressAfter(target)).toBe(prepared);
  });

  test('can always be decoded afterwards', () => {
    const paths = fc.string({ unit: fc.constantFrom('/', '%', '2', '5', 'F', 'E', 'A', 'g', '.') });
    fc.assert(
      fc.property(paths, (path) => {
        expect(() => decodeURIComponent(addressAfter(`/${path}`) ?? '')).not.toThrow();
      }),
    );
  });

  test.each(['http://[/v1/pets', 'http://a:b/v1/pets', 'ftp://pets.example/', 'v1/pets', ''])(
    'that is none is refused: %j',
    (target) => {
      expect(prepareTarget(requestFor(target))).toContain('request target is not valid');
    },
  );
});

describe('the host of a request', () => {
  test.each([[[]], [['a.example', 'b.example']]])('is refused unless there is exactly one: %j', (hosts) => {
    expect(prepareTarget(requestFor('/', hosts))).toContain('exactly one Host header');
  });

  test('may be missing in HTTP/1.0, which knows none', () => {
    expect(prepareTarget(requestFor('/', [], 0))).toBeUndefined();
  });
});
