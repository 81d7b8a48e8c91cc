import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { requestIdOf } from './request-context.js';

const NEW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function idOf(headers: Record<string, string>) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return requestIdOf(request, (text) => text.includes('secret'));
}

describe('the id of a request', () => {
  test.each(['1', 'Root=1-67891233-abcdef012345678912345678', 'a/b+c.d_e:f', 'x'.repeat(128)])(
    'is the one that was sent with it: %s',
    (id) => {
      expect(idOf({ 'x-request-id': id })).toBe(id);
    },
  );

  test.each([
    ['empty', ''],
    ['longer than 128 characters', 'x'.repeat(129)],
    ['one with a line break', 'a\nb'],
    ['two joined ones', 'a, b'],
    ['one that speaks to a terminal', '\u001b[31m'],
    ['one that speaks to a browser', '<script>'],
    ['a secret', 'my-secret'],
  ])('is a new one when the one that was sent is %s', (_what, id) => {
    expect(idOf({ 'x-request-id': id })).toMatch(NEW_ID);
  });

  test('is a new one when none was sent', () => {
    expect(idOf({})).toMatch(NEW_ID);
  });
});
