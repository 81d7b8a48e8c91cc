import { failureOf, RECOVERY_BOUND_MS, unexplained, type Excuse, type Failure } from './failures.js';

const ERROR = '{"code":"service_unavailable","message":"Later","status":503}';

function received(status: number, fields: Record<string, string>, text: string) {
  return { status, headers: new Headers({ 'content-length': String(text.length), ...fields }), text };
}

test('a 503 is a refusal where it is an Error that says when to try again', () => {
  const fields = { 'content-type': 'application/json', 'retry-after': '1' };
  expect(failureOf(received(503, fields, ERROR), true)).toBe('refused addition');
  expect(failureOf(received(503, fields, ERROR), false)).toBe('refused read');
  expect(failureOf(received(503, { 'content-type': 'application/json' }, ERROR), true)).toBe('wrong');
  expect(failureOf(received(503, fields, '{}'), true)).toBe('wrong');
});

test('a page of the balancer is told from an answer of the service', () => {
  const fields = { 'content-type': 'text/html' };
  expect(failureOf(received(502, fields, '<html>'), true)).toBe('refused by the balancer');
  expect(failureOf(received(500, fields, '<html>'), true)).toBe('wrong');
  expect(failureOf(received(503, { ...fields, 'x-request-id': 'a' }, '<html>'), true)).toBe('wrong');
});

test('a failure is explained by a reason of its kind alone, while that lasts and for the bound afterwards', () => {
  const excuse: Excuse = { fault: 'restart', failures: ['refused read'], from: 1_000, until: 2_000 };
  const isExplained = (failure: Failure, endedAt: number) =>
    unexplained([{ failure, sentAt: endedAt - 10, endedAt, what: '' }], [excuse]).length === 0;
  expect(isExplained('refused read', 1_500)).toBe(true);
  expect(isExplained('refused addition', 1_500)).toBe(false);
  expect(isExplained('refused read', 999)).toBe(false);
  expect(isExplained('refused read', 2_000 + RECOVERY_BOUND_MS)).toBe(true);
  expect(isExplained('refused read', 2_001 + RECOVERY_BOUND_MS)).toBe(false);
});
