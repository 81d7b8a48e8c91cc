import { codeForStatus, ERROR_CODES, type ErrorCode } from './error-codes.js';

describe('the error codes', () => {
  test('are those that the contract promises, each with its status', () => {
    const statuses = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      invalid_request: 400,
      unauthorized: 401,
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

  test.each(Object.entries(ERROR_CODES))('tell what %s means in a sentence', (_code, { meaning }) => {
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
  });
});

describe('a status that comes without a code', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('gets %s where it is the status of that', (code) => {
    expect(codeForStatus(ERROR_CODES[code].status)).toBe(code);
  });

  test.each([402, 406, 418, 499])('gets invalid_request when it blames the client: %i', (status) => {
    expect(codeForStatus(status)).toBe('invalid_request');
  });

  test.each([501, 502, 504, 599])('gets internal_error when it blames the service: %i', (status) => {
    expect(codeForStatus(status)).toBe('internal_error');
  });
});
