import type { Request, Response } from 'express';
import fc from 'fast-check';
import { literalPercent } from './literal-percent.js';

const { jest } = import.meta;

/** The address after the middleware. */
function addressAfter(url: string): string {
  const request = { url } as Request;
  void literalPercent(request, {} as Response, () => undefined);
  return request.url;
}

describe('an address', () => {
  test.each(['/v1/pets', '/v1/pets/%31', '/v1/%F0%9F%90%95', '/v1/pets?status=%FF', '/v1/pets?a=%', '/'])(
    'that can be decoded stays as it is: %s',
    (url) => {
      expect(addressAfter(url)).toBe(url);
    },
  );

  test.each([
    ['/v1/pets/%', '/v1/pets/%25'],
    ['/v1/pets/%FF', '/v1/pets/%25FF'],
    ['/v1/pets/%zz', '/v1/pets/%25zz'],
    ['/v1/pets/%E0%A4', '/v1/pets/%25E0%25A4'],
    ['/v1/pets/%FF?limit=%20&a=%', '/v1/pets/%25FF?limit=%20&a=%'],
  ])('that cannot be decoded has its percent signs taken literally: %s', (url, literal) => {
    expect(addressAfter(url)).toBe(literal);
  });

  test('can always be decoded afterwards', () => {
    const paths = fc.string({ unit: fc.constantFrom('/', '%', '2', '5', 'F', 'E', 'A', 'g', '.') });
    fc.assert(
      fc.property(paths, (path) => {
        expect(() => decodeURIComponent(addressAfter(path))).not.toThrow();
      }),
    );
  });

  test('goes on to what comes next', () => {
    const next = jest.fn();
    void literalPercent({ url: '/%FF' } as Request, {} as Response, next);
    expect(next.mock.calls).toEqual([[]]);
  });
});
