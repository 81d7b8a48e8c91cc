import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RequestState } from '../request-context.js';
import { BodyGuard } from './body.guard.js';

const LIMIT = 100_000;

/** A route of which the guard reads only the metadata. */
class Routes {}
const route = () => undefined;

/** A request with this body, which has arrived whole, and what the guard makes of it. */
function sent(body: string | Uint8Array, guard = new BodyGuard(LIMIT), fields: Record<string, string> = {}) {
  const bytes = Buffer.from(body);
  const request = Object.assign(Readable.from(bytes.length === 0 ? [] : [bytes]), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), ...fields },
    socket: { destroyed: false },
    body: undefined as object | undefined,
  });
  const headers: Record<string, string> = {};
  const response = {
    state: new RequestState('id'),
    setHeader: (name: string, value: string) => (headers[name] = value),
  };
  const context = new ExecutionContextHost([request, response], Routes, route);
  return { request, headers, done: (async () => guard.canActivate(context))() };
}

async function valueOf(body: string | Uint8Array): Promise<unknown> {
  const { request, done } = sent(body);
  await done;
  return request.body;
}

describe('a body', () => {
  test('is what its JSON means, without a byte order mark', async () => {
    expect(await valueOf('\ufeff{"a":[9007199254740993,1.0]}')).toEqual({ a: [9007199254740993n, 1] });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['half of an object', '{"a":', 'The body is not valid JSON'],
    ['a comma too many', '{\n  "a": 1,\n}', 'The body is not valid JSON at position 12 (line 3 column 1)'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'The body is not valid UTF-8: encode the JSON as UTF-8'],
    ['lists 101 deep', '['.repeat(101) + ']'.repeat(101), 'The body is nested more than 100 levels deep'],
    ['lists 40,000 deep', '['.repeat(40_000) + ']'.repeat(40_000), 'The body is nested more than 100 levels deep'],
    ['numbers 20,000 deep', `${'['.repeat(20_000)}1.0${']'.repeat(20_000)}`, 'The body is '],
  ])('that is %s is refused with its place', async (_what, body, message) => {
    await expect(valueOf(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as string,
    });
  });

  test('has objects of at most 500 members, wherever they are', async () => {
    const object = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
    expect(await valueOf(JSON.stringify([object(500)]))).toEqual([object(500)]);
    await expect(valueOf(JSON.stringify({ a: [object(501)] }))).rejects.toThrow(
      'An object of the body has more than 500 members',
    );
  });

  test.each([
    [{ 'content-type': 'application/json; charset=utf-8' }, undefined],
    [{ 'content-type': 'Application/JSON ; charset="UTF-8"' }, undefined],
    [{ 'content-encoding': 'identity' }, undefined],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
    [{ 'content-type': 'application/jsonp' }, 415],
    [{ 'content-type': '' }, 415],
    [{ 'content-encoding': 'br' }, 415],
    [{ 'content-length': String(LIMIT + 1) }, 413],
  ])('sent with %j is refused with %s', async (fields, status) => {
    const { done } = sent('{}', undefined, fields);
    const refused = await done.then(
      () => undefined,
      (error: unknown) => (error as { readonly status: number }).status,
    );
    expect(refused).toBe(status);
  });

  test('of more than 4 KiB is parsed in a turn of the event loop of its own', async () => {
    const guard = new BodyGuard(LIMIT);
    const requests = Array.from({ length: 5 }, () => sent(`{"a":"${'x'.repeat(5_000)}"}`, guard).request);
    const parsed: number[] = [];
    while (parsed.at(-1) !== 5) {
      await nextTurn();
      parsed.push(requests.filter(({ body }) => body !== undefined && !Buffer.isBuffer(body)).length);
    }
    expect(parsed.filter((count) => count > 0)).toEqual([1, 2, 3, 4, 5]);
  });

  test('is not parsed if its client is gone by then', async () => {
    const { request, done } = sent(`{"a":"${'x'.repeat(5_000)}"}`);
    request.socket.destroyed = true;
    await expect(done).rejects.toThrow('The client is gone');
    expect(request.body).toBeUndefined();
  });
});
