import { Deprecated, deprecationOf } from './deprecated.js';
import { RouteTable, UnknownRoute, type RouteHandler } from './route-table.js';

/** A handler as Nest registers it: with the metadata of the controller's method. */
function handler(...decorators: MethodDecorator[]): RouteHandler {
  const value: RouteHandler = () => undefined;
  for (const decorate of decorators) decorate({}, 'method', { value });
  return value;
}

function tableOf(...routes: [method: string, path: string][]): RouteTable {
  const table = new RouteTable('');
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
  );

  test.each([
    ['/v1/pets', ['GET', 'HEAD', 'POST']],
    ['/v1/pets/7', ['GET', 'HEAD', 'PATCH']],
    ['/v1/pets/%', ['GET', 'HEAD', 'PATCH']],
    ['/v2/any/thing/at/all', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']],
    ['/dav', ['PROPFIND']],
    ['/v1/pets/', undefined],
    ['/V1/pets', undefined],
    ['/v1/pets/7/toys', undefined],
    ['/v1', undefined],
  ])('tells the methods at %s: %s', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });

  test('lists the paths once', () => {
    expect(table.paths).toEqual(['/v1/pets', '/v1/pets/:petId', '/v2/any/{*path}', '/dav']);
  });

  test.each([
    ['/v1', true],
    ['/v1/nope', true],
    ['/v2/', true],
    ['/v3', false],
    ['/v1x/pets', false],
    ['/va', false],
    ['/dav', false],
  ])('gives a request for an unknown address to the route of its version: %s is below one, %s', (path, expected) => {
    const own = tableOf(['get', '/v1/pets'], ['get', '/v2/any'], ['get', '/dav']);
    const taken: string[] = [];
    const unknown: RouteHandler = (request) => taken.push(request.path);
    UnknownRoute('below a version')({}, 'method', { value: unknown });
    let passedOn = 0;
    own.add('all', '/v*path', unknown)({ path } as never, {} as never, () => (passedOn += 1));
    expect([taken, passedOn, own.methodsAt(path)]).toEqual(
      expected ? [[path], 0, undefined] : [[], 1, path === '/dav' ? ['GET', 'HEAD'] : undefined],
    );
  });
});

describe('@Deprecated()', () => {
  test.each([
    [
      { since: '2026-11-20', sunset: '2030-12-05', successor: '/new' },
      [
        ...['Deprecation', '@1795132800', 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
        ...['Link', '</shop/new>; rel="successor-version"'],
      ],
    ],
    [{ since: '2026-11-20' }, ['Deprecation', '@1795132800']],
  ])('is told with the prefix that a proxy removes: %j', (options, fields) => {
    expect(deprecationOf(handler(Deprecated(options)), '/shop')).toEqual(fields);
  });

  test.each([
    [{ since: 'soon' }, 'soon is not a date'],
    [{ since: '2026-11-20', sunset: 'later' }, 'later is not a date'],
  ])('refuses %j', (options, reason) => {
    expect(() => Deprecated(options)).toThrow(reason);
  });
});
