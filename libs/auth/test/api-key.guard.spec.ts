import type { IncomingMessage } from 'node:http';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { generateApiKey, hashApiKey, ApiKey } from '../src/api-key.js';
import { Public, Scopes, ApiKeyGuard } from '../src/api-key.guard.js';
import { ApiKeyAuthenticator } from '../src/api-key-authenticator.js';
import { callerOf } from '../src/caller.js';
import { InMemoryApiKeys } from '../../../test/support/in-memory-api-keys.js';

/* eslint-disable @typescript-eslint/no-empty-function -- only what is declared on a route counts */
class Closed {
  route(): void {}

  @Public()
  open(): void {}
}

@Public()
class Open {
  route(): void {}

  @Scopes('orders:write')
  closed(): void {}
}

@Scopes('orders:read')
class Scoped {
  route(): void {}

  @Scopes('orders:write', 'orders:audit')
  change(): void {}
}
/* eslint-enable @typescript-eslint/no-empty-function */

const keys = new InMemoryApiKeys();
const guard = new ApiKeyGuard(new ApiKeyAuthenticator(keys, { note: () => undefined }), new Reflector());

/** As Node gives it: header names and values in turn. */
function requestWith(...rawHeaders: string[]): IncomingMessage {
  return { rawHeaders } as unknown as IncomingMessage;
}

async function stored(name: string, scopes?: string[], expiresAt?: Date): Promise<string> {
  const key = generateApiKey('astest');
  await keys.revoke(name);
  await keys.create(new ApiKey(name, hashApiKey(key), expiresAt, scopes));
  return key;
}

function answerTo(request: IncomingMessage, type: new () => object = Closed, route = 'route') {
  const handler = Reflect.get(type.prototype as object, route) as () => void;
  return guard.canActivate(new ExecutionContextHost([request], type, handler));
}

/** `true`, or how the guard refuses. */
async function knock(...asked: Parameters<typeof answerTo>): Promise<unknown> {
  try {
    return await answerTo(...asked);
  } catch (error) {
    return error;
  }
}

test.each<[string, new () => object, string, unknown]>([
  ['closed when nothing marks it as public', Closed, 'route', expect.objectContaining({ kind: 'unauthorized' })],
  ['open when it is marked as public', Closed, 'open', true],
  ['open when its controller is marked as public', Open, 'route', true],
  ['closed when it needs a scope', Open, 'closed', expect.objectContaining({ kind: 'unauthorized' })],
])('without a key a route is %s', async (_what, type, route, expected) => {
  expect(await knock(requestWith('X-Key', await stored('elsewhere')), type, route)).toEqual(expected);
});

test.each(['authorization', 'AUTHORIZATION'])('a route is open to a valid key in the header %s', async (name) => {
  const request = requestWith('Host', 'x', name, `Bearer ${await stored('shop')}`);
  expect(await knock(request)).toBe(true);
  // A promise for every request would cost too much.
  expect(answerTo(request)).toBe(true);
  expect(callerOf(request)).toMatchObject({ keyName: 'shop', scopes: undefined });
});

test.each<[string[], new () => object, string, string | undefined]>([
  [['orders:read'], Scoped, 'route', undefined],
  // The scopes of a method replace those of its controller.
  [['orders:audit', 'orders:write'], Scoped, 'change', undefined],
  [['orders:write'], Open, 'closed', undefined],
  [[], Scoped, 'route', 'orders:read'],
  [['orders'], Scoped, 'route', 'orders:read'],
  [['orders:write'], Scoped, 'change', 'orders:audit'],
  [['orders:read'], Scoped, 'change', 'orders:write, orders:audit'],
])('a key with the scopes %j at %p %s lacks %s', async (scopes, type, route, missing) => {
  const request = requestWith('Authorization', `Bearer ${await stored('scoped', scopes)}`);
  const message = `The API key lacks the scope ${missing}: ask for a key that has it`;
  const refused = expect.objectContaining({ kind: 'forbidden', code: 'forbidden', message }) as object;
  expect(await knock(request, type, route)).toEqual(missing === undefined ? true : refused);
});

test.each(['', 'Orders', 'null', 'orders write', 'orders:', 'a'.repeat(65)])(
  'no route can need the scope %j',
  (scope) => {
    expect(() => Scopes(scope)).toThrow('is not a scope such as orders:write');
  },
);

test('a refused key is named in the cause if it is stored, and told to nobody', async () => {
  const old = await stored('old shop');
  await keys.revoke('old shop');
  const expired = await stored('past shop', undefined, new Date(Date.now() - 1));
  const outcomes = [];
  for (const key of [old, expired, generateApiKey('astest')]) {
    const { message, cause } = (await knock(requestWith('Authorization', `Bearer ${key}`))) as Error;
    outcomes.push([(cause as Error | undefined)?.message, message]);
  }
  const message = expect.stringMatching(/^The API key is not valid: /) as string;
  expect(outcomes).toEqual([
    ['The key of old shop is revoked', message],
    ['The key of past shop is expired', message],
    [undefined, message],
  ]);
});
