import type { IncomingMessage } from 'node:http';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { generateApiKey, hashApiKey } from './api-key-text.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKey } from './api-key.js';
import { callerOf } from './caller.js';
import { InMemoryApiKeys } from './in-memory-api-keys.js';
import { Public } from './public.decorator.js';

const KEY = generateApiKey('astest');
const BOOTSTRAP_KEY = 'a-key-for-tests-only';

class Closed {
  route(): void {
    // Closed: nothing says otherwise.
  }

  @Public()
  open(): void {
    // Open.
  }
}

@Public()
class Open {
  route(): void {
    // Open with its class.
  }
}

const keys = new InMemoryApiKeys();
const guard = new ApiKeyGuard(new ApiKeyAuthenticator(keys, { bootstrapKey: BOOTSTRAP_KEY }), new Reflector());

beforeAll(async () => {
  await keys.put(new ApiKey('shop', hashApiKey(KEY)));
});

/** As Node gives it: header names and values in turn. */
function requestWith(...rawHeaders: string[]): IncomingMessage {
  return { rawHeaders } as unknown as IncomingMessage;
}

async function knock(request: IncomingMessage, type: new () => object = Closed, route = 'route'): Promise<boolean> {
  const handler = Reflect.get(type.prototype as object, route) as () => void;
  return await guard.canActivate(new ExecutionContextHost([request], type, handler));
}

describe('a route', () => {
  test('is closed when nothing marks it as public', async () => {
    await expect(knock(requestWith())).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('is open to a valid key', async () => {
    expect(await knock(requestWith('Authorization', `Bearer ${KEY}`))).toBe(true);
  });

  test('is open to everybody when it is marked as public', async () => {
    expect(await knock(requestWith(), Closed, 'open')).toBe(true);
  });

  test('is open to everybody when its controller is marked as public', async () => {
    expect(await knock(requestWith(), Open)).toBe(true);
  });
});

describe('the header Authorization', () => {
  test.each(['authorization', 'AUTHORIZATION', 'AuthoriZation'])('is found when written %s', async (name) => {
    expect(await knock(requestWith('Host', 'x', name, `Bearer ${KEY}`))).toBe(true);
  });

  test('is refused when it comes twice, in whatever spelling', async () => {
    const request = requestWith('Authorization', `Bearer ${KEY}`, 'Host', 'x', 'authorization', `Bearer ${KEY}`);
    await expect(knock(request)).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('is not read from the value of another header', async () => {
    await expect(knock(requestWith('X-Note', 'Authorization', 'X-Key', `Bearer ${KEY}`))).rejects.toMatchObject({
      kind: 'unauthorized',
    });
  });

  test.each(['Proxy-Authorization', 'X-Api-Key', 'Authorizations', 'Cookie'])('is not replaced by %s', async (name) => {
    await expect(knock(requestWith(name, `Bearer ${KEY}`))).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});

describe('the caller', () => {
  test('is known once the guard has let the request in', async () => {
    const request = requestWith('Authorization', `Bearer ${KEY}`);
    await knock(request);
    expect(callerOf(request)).toEqual({ id: '1', keyName: 'shop', holder: 'lineage:1' });
  });

  test('is unknown on a public route', async () => {
    const request = requestWith('Authorization', `Bearer ${KEY}`);
    await knock(request, Open);
    expect(callerOf(request)).toBeUndefined();
  });
});
