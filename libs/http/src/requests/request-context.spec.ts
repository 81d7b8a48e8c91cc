import type { IncomingMessage } from 'node:http';
import { currentRequest, openContext, requestContext, requestIdOf } from './request-context.js';

const NEW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function requestWith(id?: string): IncomingMessage {
  return { headers: id === undefined ? {} : { 'x-request-id': id } } as unknown as IncomingMessage;
}

describe('the id of a request', () => {
  test.each(['1', 'abc-123', 'Root=1-67891233-abcdef012345678912345678', 'a/b+c.d_e:f', 'x'.repeat(128)])(
    'is the one that was sent with it: %s',
    (id) => {
      expect(openContext(requestWith(id), {}).requestId).toBe(id);
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
    expect(openContext(requestWith(id), {}).requestId).toMatch(NEW_ID);
  });

  test('is a new one when the one that was sent is a secret', () => {
    const isSecret = (text: string) => text.includes('secret');
    expect(openContext(requestWith('my-secret'), { isSecret }).requestId).toMatch(NEW_ID);
  });

  test('is a new one when none was sent', () => {
    expect(requestIdOf(requestWith())).toMatch(NEW_ID);
  });

  test('stays the same for the same request', () => {
    const request = requestWith();
    expect(requestIdOf(request)).toBe(requestIdOf(request));
  });
});

describe('the context of a request', () => {
  test('tells which request it is, and log lines do not', () => {
    const request = requestWith('abc');
    const [current, logged] = requestContext.run(openContext(request, {}), () => {
      return [currentRequest(), JSON.stringify({ ...requestContext.getStore() })];
    });
    expect(current).toBe(request);
    expect(logged).toBe('{"requestId":"abc"}');
    expect(currentRequest()).toBeUndefined();
  });
});

describe('the trace of a request', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  function traceOf(traceparent: string | undefined): string | undefined {
    return openContext({ headers: { traceparent } } as unknown as IncomingMessage, {}).trace_id;
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
