import { BASE_ERROR_CODES, codeForStatus, ErrorCodes } from './error-codes.js';

const OUT_OF_STOCK = { code: 'out_of_stock', kind: 'conflict', meaning: 'There are not enough of them.' } as const;

describe('the error codes of every application', () => {
  test('are those that the contract promises, each with its status', () => {
    const statuses = Object.entries(BASE_ERROR_CODES).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      invalid_request: 400,
      unauthorized: 401,
      forbidden: 403,
      not_found: 404,
      method_not_allowed: 405,
      not_acceptable: 406,
      request_timeout: 408,
      conflict: 409,
      gone: 410,
      precondition_failed: 412,
      payload_too_large: 413,
      unsupported_media_type: 415,
      unprocessable_content: 422,
      idempotency_key_reused: 422,
      rate_limited: 429,
      headers_too_large: 431,
      internal_error: 500,
      not_implemented: 501,
      bad_gateway: 502,
      service_unavailable: 503,
      gateway_timeout: 504,
    });
  });
});

describe('a status that comes without a code', () => {
  test.each([
    [403, 'forbidden'],
    [409, 'conflict'],
    [410, 'gone'],
    [422, 'unprocessable_content'],
    [502, 'bad_gateway'],
    [503, 'service_unavailable'],
  ])('%i gets %s', (status, code) => {
    expect(codeForStatus(status)).toBe(code);
  });

  test.each([402, 418, 428, 499])('gets invalid_request when it blames the client: %i', (status) => {
    expect(codeForStatus(status)).toBe('invalid_request');
  });

  test.each([505, 507, 599])('gets internal_error when it blames the service: %i', (status) => {
    expect(codeForStatus(status)).toBe('internal_error');
  });
});

describe('a code that a module registers', () => {
  test('has the status of its kind, or its own', () => {
    const codes = new ErrorCodes();
    codes.register([OUT_OF_STOCK, { code: 'teapot', status: 418, meaning: 'It is a teapot.' }]);
    expect([codes.find('out_of_stock'), codes.find('teapot')]).toEqual([
      { status: 409, meaning: 'There are not enough of them.' },
      { status: 418, meaning: 'It is a teapot.' },
    ]);
  });

  test('stands in the table behind those of the same status', () => {
    const codes = new ErrorCodes();
    codes.register([OUT_OF_STOCK]);
    const names = codes.all().map(([code]) => code);
    expect(names.slice(names.indexOf('conflict'), names.indexOf('gone'))).toEqual(['conflict', 'out_of_stock']);
  });

  test('may be registered again as it is', () => {
    const codes = new ErrorCodes();
    codes.register([OUT_OF_STOCK]);
    expect(() => {
      codes.register([OUT_OF_STOCK]);
    }).not.toThrow();
  });

  test.each([
    [
      'means something else already',
      { ...OUT_OF_STOCK, meaning: 'Sold.' },
      'The error code "out_of_stock" is registered twice',
    ],
    ['has another status already', { code: 'conflict', status: 400, meaning: 'x' }, 'registered twice'],
    ['is not in snake case', { ...OUT_OF_STOCK, code: 'OutOfStock' }, '"OutOfStock" must be lower snake_case'],
  ])('is refused where it %s', (_what, definition, reason) => {
    const codes = new ErrorCodes();
    codes.register([OUT_OF_STOCK]);
    expect(() => {
      codes.register([definition]);
    }).toThrow(reason);
  });
});
