import { BASE_ERROR_CODES, codeForStatus, ErrorCodes } from './error-codes.js';

const OUT_OF_STOCK = { code: 'out_of_stock', kind: 'conflict', meaning: 'There are not enough of them.' } as const;

test('the codes of every application are those that the contract promises, each with its status', () => {
  const statuses = Object.entries(BASE_ERROR_CODES).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    invalid_request: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    conflict: 409,
    payload_too_large: 413,
    unsupported_media_type: 415,
    idempotency_key_reused: 422,
    rate_limited: 429,
    headers_too_large: 431,
    internal_error: 500,
    service_unavailable: 503,
  });
});

test.each([
  [403, 'forbidden'],
  [409, 'conflict'],
  [410, 'gone'],
  [412, 'precondition_failed'],
  [418, 'i_m_a_teapot'],
  [422, 'unprocessable_entity'],
  [502, 'bad_gateway'],
  [503, 'service_unavailable'],
  [499, 'error'],
])('the status %i without a code of its own gets %s, in snake case', (status, code) => {
  expect(codeForStatus(status)).toBe(code);
});

describe('a code that a module registers', () => {
  test('has the status of its kind, and stands behind those of the same status', () => {
    const codes = new ErrorCodes();
    codes.register([OUT_OF_STOCK, OUT_OF_STOCK]);
    const all = codes.all().map(([code, { status }]) => [code, status]);
    const from = all.findIndex(([code]) => code === 'conflict');
    expect(all.slice(from, from + 3)).toEqual([
      ['conflict', 409],
      ['out_of_stock', 409],
      ['payload_too_large', 413],
    ]);
  });

  test.each([
    ['is not in snake case', { ...OUT_OF_STOCK, code: 'OutOfStock' }, '"OutOfStock" must be lower snake_case'],
    ['means something else already', { ...OUT_OF_STOCK, code: 'not_found' }, '"not_found" has another meaning already'],
  ])('is refused where it %s', (_what, definition, reason) => {
    expect(() => {
      new ErrorCodes().register([definition]);
    }).toThrow(reason);
  });
});
