import type { IncomingMessage } from 'node:http';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { generateApiKey, hashApiKey, ApiKey } from '../src/api-key.js';
import { Public, Scopes, ApiKeyGuard } from '../src/api-key.guard.js';
import { ApiKeyAuthenticator } from '../src/api-key-authenticator.js';
import { callerOf, refusedApiKeyOf } from '../src/caller.js';
import { InMemoryApiKeys } from '../../../test/support/in-memory-api-keys.js';

const KEY = generateApiKey('astest');

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

@Scopes('orders:read')
class Scoped {
  route(): void {
    // As its controller says.
  }

  @Scopes('orders:write', 'orders:audit')
  change(): void {
    // Needs others than the rest of the controller.
  }
}

@Public()
class OpenButOne {
  @Scopes('orders:write')
  route(): void {
    // Closed, although the rest is open.
  }
}

const keys = new InMemoryApiKeys();
const guard = new ApiKeyGuard(new ApiKeyAuthenticator(keys), new Reflector());

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

  test('is not read from the value of another header', async () => {
    await expect(knock(requestWith('X-Note', 'Authorization', 'X-Key', `Bearer ${KEY}`))).rejects.toMatchObject({
      kind: 'unauthorized',
    });
  });
});

describe('the caller', () => {
  test('is known once the guard has let the request in', async () => {
    const request = requestWith('Authorization', `Bearer ${KEY}`);
    await knock(request);
    expect(callerOf(request)).toEqual({ id: '1', keyName: 'shop', holder: 'lineage:1', scopes: undefined });
  });
});

describe('a route with scopes', () => {
  const keyWith = async (...scopes: string[]): Promise<IncomingMessage> => {
    const key = generateApiKey('astest');
    await keys.put(new ApiKey(`with ${scopes.join()}`, hashApiKey(key), undefined, undefined, scopes));
    return requestWith('Authorization', `Bearer ${key}`);
  };

  test.each<[string, string[], new () => object, string]>([
    ['the scope of the controller', ['orders:read'], Scoped, 'route'],
    [
      'all scopes of the method, which replace that of the controller',
      ['orders:audit', 'orders:write'],
      Scoped,
      'change',
    ],
    ['the scope of a method in a public controller', ['orders:write'], OpenButOne, 'route'],
  ])('is open to a key with %s', async (_what, scopes, type, route) => {
    expect(await knock(await keyWith(...scopes), type, route)).toBe(true);
  });

  test.each<[string, string[], new () => object, string, string]>([
    ['no scope at all', [], Scoped, 'route', 'orders:read'],
    ['another scope', ['orders'], Scoped, 'route', 'orders:read'],
    ['one scope of two', ['orders:write'], Scoped, 'change', 'orders:audit'],
    ['none of two', ['orders:read'], Scoped, 'change', 'orders:write, orders:audit'],
  ])('is closed to a key with %s, and names what is missing', async (_what, scopes, type, route, missing) => {
    await expect(keyWith(...scopes).then((request) => knock(request, type, route))).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'forbidden',
      message: `The API key lacks the scope ${missing}: ask for a key that has it`,
    });
  });

  test.each<[new () => object, string]>([
    [Scoped, 'route'],
    [OpenButOne, 'route'],
  ])('is closed to strangers', async (type, route) => {
    await expect(knock(requestWith(), type, route)).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('is open to a key with another scope where none is needed', async () => {
    expect(await knock(await keyWith('orders:read'))).toBe(true);
  });

  test.each(['', 'Orders', 'orders write', 'orders:', 'a'.repeat(65)])('cannot need %j', (scope) => {
    expect(() => Scopes(scope)).toThrow('is not a scope such as orders:write');
  });
});

describe('a refused key', () => {
  const old = generateApiKey('astest');
  const expired = generateApiKey('astest');

  beforeAll(async () => {
    await keys.put(new ApiKey('old shop', hashApiKey(old)));
    keys.revoke('old shop');
    await keys.put(new ApiKey('past shop', hashApiKey(expired), new Date(Date.now() - 1)));
  });

  test.each([
    [old, { keyName: 'old shop', reason: 'revoked' }],
    [expired, { keyName: 'past shop', reason: 'expired' }],
    [generateApiKey('astest'), undefined],
  ])('is noted in each request if it is stored, and told to nobody', async (key, refused) => {
    const outcomes = [];
    for (let times = 0; times < 2; times += 1) {
      const request = requestWith('Authorization', `Bearer ${key}`);
      const message = await knock(request).catch((error: unknown) => (error as Error).message);
      outcomes.push({ refused: refusedApiKeyOf(request), message });
    }
    const outcome = { refused, message: expect.stringMatching(/^The API key is not valid: /) as string };
    expect(outcomes).toEqual([outcome, outcome]);
  });
});
