import { RouteTable } from './route-table.js';

describe('the table of routes', () => {
  const table = new RouteTable();
  for (const [method, path] of [
    ['get', '/v1/pets'],
    ['post', '/v1/pets'],
    ['get', '/v1/pets/:petId'],
    ['patch', '/v1/pets/:petId'],
    ['all', '/v2/any/{*path}'],
    ['propfind', '/dav'],
  ] as const)
    table.add(method, path, () => undefined);

  test.each([
    ['/v1/pets', ['GET', 'HEAD', 'POST']],
    ['/v1/pets/7', ['GET', 'HEAD', 'PATCH']],
    ['/v1/pets/%', ['GET', 'HEAD', 'PATCH']],
    ['/v2/any/thing/at/all', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']],
    ['/dav', ['PROPFIND']],
    ['/v1/pets/', []],
    ['/V1/pets', []],
    ['/v1/pets/7/toys', []],
    ['/v1', []],
  ])('tells the methods at %s: %s', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });

  test('lists the paths once', () => {
    expect(table.paths).toEqual(['/v1/pets', '/v1/pets/:petId', '/v2/any/{*path}', '/dav']);
  });
});
