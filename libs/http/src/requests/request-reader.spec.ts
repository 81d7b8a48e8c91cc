import fc from 'fast-check';
import { isJsonMediaType } from './request-reader.js';

describe('a Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json \t; ',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ;\tcharset="utf-8" ; ',
  ])('is that of JSON: %j', (value) => {
    expect(isJsonMediaType(value)).toBe(true);
  });

  test.each([
    '',
    'application/jsonp',
    'application/json x',
    'application/json charset=utf-8',
    'application/json;;',
    'application/json; charset=latin1',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json\u00a0',
    'text/json',
  ])('is another one: %j', (value) => {
    expect(isJsonMediaType(value)).toBe(false);
  });

  test('is read part by part, blanks and parameters', () => {
    const parts = fc.constantFrom(' ', '\t', ';', 'charset=utf-8', 'charset="utf-8"', 'charset=', 'x');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (list) => {
        const [type = '', ...parameters] = `application/json${list.join('')}`.split(';').map((part) => part.trim());
        const given = parameters.at(-1) === '' ? parameters.slice(0, -1) : parameters;
        const isUtf8 = given.length === 0 || (given.length === 1 && /^charset=(?:utf-8|"utf-8")$/.test(given[0]!));
        expect(isJsonMediaType(`application/json${list.join('')}`)).toBe(type === 'application/json' && isUtf8);
      }),
      { numRuns: 2_000 },
    );
  });
});
