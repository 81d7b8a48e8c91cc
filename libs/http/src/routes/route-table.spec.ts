import { Deprecated } from './deprecation.js';
import { Fallback, RouteTable, type RouteHandler } from './route-table.js';

/** A handler as Nest registers it: with the metadata of the controller's method. */
function handler(...decorators: MethodDecorator[]): RouteHandler {
  const value: RouteHandler = () => undefined;
  for (const decorate of decorators) decorate({}, 'method', { value });
  return value;
}

function tableOf(...routes: [method: string, path: string][]): RouteTable {
  const table = new RouteTable();
  for (const [method, path] of routes) table.add(method, path, handler());
  return table;
}

describe('the table of routes', () => {
  const table = tableOf(
    ['post', '/v1/pets'],
    ['get', '/v1/pets'],
    ['get', '/v1/pets/:petId'],
    ['patch', '/v1/pets/:petId'],
    ['all', '/v2/any/{*path}'],
    ['propfind', '/dav'],
    ['options', '/dav'],
  );

  test.each([
    ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
    ['/v1/pets/7', 'GET, HEAD, PATCH, OPTIONS'],
    ['/v1/pets/a%20b', 'GET, HEAD, PATCH, OPTIONS'],
    ['/v1/pets/%', 'GET, HEAD, PATCH, OPTIONS'],
    ['/v2/any/thing/at/all', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['/dav', 'OPTIONS, PROPFIND'],
    ['/v1/pets/', undefined],
    ['/V1/pets', undefined],
    ['/v1/pets/7/toys', undefined],
    ['/v1', undefined],
  ])('tells the methods at %s: %s', (path, allow) => {
    expect(table.allowAt(path)).toBe(allow);
  });

  test('tells each method once that is served anywhere', () => {
    expect(tableOf(['get', '/a'], ['get', '/b'], ['delete', '/b']).methods).toEqual([
      'GET',
      'HEAD',
      'DELETE',
      'OPTIONS',
    ]);
  });

  test.each([
    ['/v1', true],
    ['/v1/nope', true],
    ['/v2/', true],
    ['/v3', false],
    ['/v1x/pets', false],
    ['/va', false],
    ['/dav', false],
    ['/', false],
  ])('knows whether %s lies below a version that has a route: %s', (path, expected) => {
    expect(table.isVersioned(path)).toBe(expected);
  });

  test('leaves fallbacks out, and to the next one what they do not take', () => {
    const own = new RouteTable();
    const taken: string[] = [];
    const fallback: RouteHandler = ({ path }) => taken.push(path);
    Fallback((_routes, path) => path === '/mine')({}, 'method', { value: fallback });
    const registered = own.add('all', '/{*path}', fallback);
    let passedOn = 0;
    for (const path of ['/mine', '/other']) registered({ path } as never, {} as never, () => (passedOn += 1));
    expect([own.allowAt('/mine'), taken, passedOn]).toEqual([undefined, ['/mine'], 1]);
  });

  test('tells what is deprecated', () => {
    const own = tableOf(['get', '/new']);
    own.add('get', '/old', handler(Deprecated({ since: '2026-11-20', sunset: '2030-12-05', successor: '/new' })));
    expect(own.deprecated).toEqual([
      {
        path: '/old',
        deprecation: {
          sunset: Date.UTC(2030, 11, 5) / 1000,
          fields: [
            ...['Deprecation', '@1795132800'],
            ...['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
            ...['Link', '</new>; rel="successor-version"'],
          ],
        },
      },
    ]);
  });
});

describe('@Deprecated', () => {
  test('needs no more than when', () => {
    const table = new RouteTable();
    table.add('get', '/old', handler(Deprecated({ since: '2026-11-20' })));
    expect(table.deprecated[0]?.deprecation).toEqual({ sunset: undefined, fields: ['Deprecation', '@1795132800'] });
  });

  test.each([
    [{ since: 'soon' }, 'soon is not a date'],
    [{ since: '2026-11-20', sunset: 'later' }, 'later is not a date'],
  ])('refuses %j', (options, reason) => {
    expect(() => Deprecated(options)).toThrow(reason);
  });
});
