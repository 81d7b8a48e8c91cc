import { isJsonMediaType } from './route-input.guard.js';

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
});
