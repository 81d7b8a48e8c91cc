import type { IncomingMessage } from 'node:http';
import { createContext } from './request-context.js';

const NEW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NEVER = () => false;

function requestWith(id?: string): IncomingMessage {
  return { headers: id === undefined ? {} : { 'x-request-id': id } } as unknown as IncomingMessage;
}

describe('the id of a request', () => {
  test.each(['1', 'abc-123', 'Root=1-67891233-abcdef012345678912345678', 'a/b+c.d_e:f', 'x'.repeat(128)])(
    'is the one that was sent with it: %s',
    (id) => {
      expect(createContext(requestWith(id), NEVER).requestId).toBe(id);
    },
  );

  test.each([
    ['empty', ''],
    ['longer than 128 characters', 'x'.repeat(129)],
    ['one with a line break', 'a\nb'],
    ['one with a blank', 'a b'],
    ['two joined ones', 'a, b'],
    ['one that speaks to a terminal', '\u001b[31m'],
    ['one that speaks to a browser', '<script>'],
    ['beyond ASCII', 'ключ'],
  ])('is a new one when the one that was sent is %s', (_what, id) => {
    expect(createContext(requestWith(id), NEVER).requestId).toMatch(NEW_ID);
  });

  test('is a new one when the one that was sent is a secret', () => {
    const isSecret = (text: string) => text.includes('secret');
    expect(createContext(requestWith('my-secret'), isSecret).requestId).toMatch(NEW_ID);
  });

  test('is a new one when none was sent', () => {
    expect(createContext(requestWith(), NEVER).requestId).toMatch(NEW_ID);
  });
});

describe('the trace of a request', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  function traceOf(traceparent: string | undefined): string | undefined {
    return createContext({ headers: { traceparent } } as unknown as IncomingMessage, NEVER).trace_id;
  }

  test.each([
    `00-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-00`,
    `cc-${TRACE}-00f067aa0ba902b7-01-more`,
  ])('is the one of its traceparent: %s', (traceparent) => {
    expect(traceOf(traceparent)).toBe(TRACE);
  });

  test.each([
    undefined,
    '',
    TRACE,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-00f067aa0ba902b7-01x`,
  ])('is not known from %p', (traceparent) => {
    expect(traceOf(traceparent)).toBeUndefined();
  });
});
