import { generateApiKey, hashApiKey } from './api-key.js';
import { ApiKeyAuthenticator, type AuthenticationOptions } from './api-key.authenticator.js';
import { ApiKey, ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { UnauthorizedError } from './unauthorized.error.js';

const { jest } = import.meta;

/** Counts what it is asked, and answers when the test says so. */
class FakeApiKeys extends ApiKeys {
  readonly asked: string[] = [];
  readonly stored = new Map<string, ApiKey>();
  answer: () => Promise<void> = () => Promise.resolve();

  override async findByHash(hash: string): Promise<ApiKey | undefined> {
    this.asked.push(hash);
    const found = this.stored.get(hash);
    await this.answer();
    return found;
  }

  override put(key: ApiKey): Promise<void> {
    this.stored.set(key.hash, key);
    return Promise.resolve();
  }
}

const KEY = generateApiKey('astest');
const UNKNOWN_KEY = generateApiKey('astest');

let now: number;
let keys: FakeApiKeys;

function authenticator(options: AuthenticationOptions = {}): ApiKeyAuthenticator {
  return new ApiKeyAuthenticator(keys, options);
}

/** As the guard calls it, with refusals as rejections whether they come at once or later. */
async function authenticate(subject: ApiKeyAuthenticator, ...headers: string[]): Promise<Caller> {
  return await subject.authenticate(headers);
}

async function refusal(attempt: Promise<unknown>): Promise<UnauthorizedError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UnauthorizedError) return error;
  throw new Error('The request was not refused', { cause: error });
}

beforeEach(async () => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  keys = new FakeApiKeys();
  await keys.put(new ApiKey('shop', hashApiKey(KEY)));
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request', () => {
  test('with a key that is stored comes from the holder of the key', async () => {
    expect(await authenticate(authenticator(), `Bearer ${KEY}`)).toEqual({ keyName: 'shop' });
  });

  test.each(['bearer', 'BEARER', 'bEaReR'])('may write the scheme as %s', async (scheme) => {
    expect(await authenticate(authenticator(), `${scheme} ${KEY}`)).toEqual({ keyName: 'shop' });
  });

  test('without a key is refused with a challenge that blames no key', async () => {
    const { challenge } = await refusal(authenticate(authenticator()));
    expect(challenge).toBe('Bearer realm="animal-store"');
  });

  test('with a key that is not stored is refused with a challenge that blames the key', async () => {
    const { challenge } = await refusal(authenticate(authenticator(), `Bearer ${UNKNOWN_KEY}`));
    expect(challenge).toBe('Bearer realm="animal-store", error="invalid_token"');
  });

  test.each([
    ['nothing', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a blank', 'Bearer '],
    ['the key alone', KEY],
    ['another scheme', `Basic ${KEY}`],
    ['no blank behind the scheme', `Bearer${KEY}`],
    ['a tabulator behind the scheme', `Bearer\t${KEY}`],
    ['two keys', `Bearer ${KEY} ${KEY}`],
    ['two keys with a comma', `Bearer ${KEY}, Bearer ${KEY}`],
    ['the key in quotes', `Bearer "${KEY}"`],
    ['characters beyond ASCII', 'Bearer ключ'],
  ])('with a header that says %s is refused', async (_what, header) => {
    const { challenge } = await refusal(authenticate(authenticator(), header));
    expect(challenge).toBe('Bearer realm="animal-store", error="invalid_token"');
  });

  test('with two headers is refused, even when both carry the same good key', async () => {
    const { challenge } = await refusal(authenticate(authenticator(), `Bearer ${KEY}`, `Bearer ${KEY}`));
    expect(challenge).toBe('Bearer realm="animal-store", error="invalid_token"');
  });

  test.each([
    ['an unknown', [`Bearer ${UNKNOWN_KEY}`], UNKNOWN_KEY],
    ['a malformed', ['Bearer not/a-key-of-ours'], 'not/a-key-of-ours'],
    ['a doubled', [`Bearer ${KEY}`, `Bearer ${KEY}`], KEY],
  ])('with %s key is refused in words that do not repeat the key', async (_what, headers, key) => {
    const { message, challenge } = await refusal(authenticate(authenticator(), ...headers));
    expect(`${message} ${challenge}`).not.toContain(key);
  });
});

describe('the store of the keys', () => {
  test.each([
    ['its checksum does not fit', KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0')],
    ['it has not the form of a key', 'hunter2'],
  ])('is not asked for a key when %s', async (_why, key) => {
    await refusal(authenticate(authenticator(), `Bearer ${key}`));
    expect(keys.asked).toEqual([]);
  });

  test('is asked for the hash and never for the key', async () => {
    await authenticate(authenticator(), `Bearer ${KEY}`);
    expect(keys.asked).toEqual([hashApiKey(KEY)]);
  });

  test('is not believed when it answers another key than the one asked for', async () => {
    keys.stored.set(hashApiKey(UNKNOWN_KEY), new ApiKey('shop', hashApiKey(KEY)));
    const { kind } = await refusal(authenticate(authenticator(), `Bearer ${UNKNOWN_KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('is asked once for requests that bring the same key at the same time', async () => {
    const subject = authenticator();
    const callers = await Promise.all([1, 2, 3].map(() => authenticate(subject, `Bearer ${KEY}`)));
    expect({ callers, lookups: keys.asked.length }).toEqual({
      callers: [{ keyName: 'shop' }, { keyName: 'shop' }, { keyName: 'shop' }],
      lookups: 1,
    });
  });

  test('is asked again for a key that it did not know the last time', async () => {
    const subject = authenticator();
    await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    await keys.put(new ApiKey('new', hashApiKey(UNKNOWN_KEY)));
    expect(await authenticate(subject, `Bearer ${UNKNOWN_KEY}`)).toEqual({ keyName: 'new' });
  });

  test('passes its failure on, so that it is not taken for an invalid key', async () => {
    const failure = new Error('The database is away');
    keys.answer = () => Promise.reject(failure);
    await expect(authenticate(authenticator(), `Bearer ${KEY}`)).rejects.toBe(failure);
  });

  test('is asked again after it failed', async () => {
    const subject = authenticator();
    keys.answer = () => Promise.reject(new Error('The database is away'));
    await authenticate(subject, `Bearer ${KEY}`).catch(() => undefined);
    keys.answer = () => Promise.resolve();
    expect(await authenticate(subject, `Bearer ${KEY}`)).toEqual({ keyName: 'shop' });
  });
});

describe('a key that was found', () => {
  test('is known for less than 500 ms without a query and without a promise', async () => {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    now += 499;
    const caller = subject.authenticate([`Bearer ${KEY}`]);
    expect({ caller, lookups: keys.asked.length }).toEqual({ caller: { keyName: 'shop' }, lookups: 1 });
  });

  test('is looked up again 500 ms later', async () => {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    now += 500;
    await authenticate(subject, `Bearer ${KEY}`);
    expect(keys.asked).toHaveLength(2);
  });

  test('is refused 500 ms after it was revoked', async () => {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    keys.stored.clear();
    now += 500;
    const { kind } = await refusal(authenticate(subject, `Bearer ${KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('ages from before the query, which may have taken long', async () => {
    const subject = authenticator();
    keys.answer = () => {
      now += 499;
      return Promise.resolve();
    };
    await authenticate(subject, `Bearer ${KEY}`);
    now += 1;
    await authenticate(subject, `Bearer ${KEY}`);
    expect(keys.asked).toHaveLength(2);
  });

  test('does not live longer for being used', async () => {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    now += 300;
    await authenticate(subject, `Bearer ${KEY}`);
    now += 300;
    await authenticate(subject, `Bearer ${KEY}`);
    expect(keys.asked).toHaveLength(2);
  });

  test('lets no other key in', async () => {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    const { kind } = await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    expect(kind).toBe('unauthorized');
  });
});

describe('the bootstrap key', () => {
  const bootstrapKey = 'any-16-characters-or-more!';

  test('is accepted without asking the store', async () => {
    const caller = await authenticate(authenticator({ bootstrapKey }), `Bearer ${bootstrapKey}`);
    expect({ caller, asked: keys.asked }).toEqual({ caller: { keyName: 'bootstrap' }, asked: [] });
  });

  test('is refused where none is set', async () => {
    const { kind } = await refusal(authenticate(authenticator(), `Bearer ${bootstrapKey}`));
    expect(kind).toBe('unauthorized');
  });

  test('is accepted as a whole only', async () => {
    const { kind } = await refusal(
      authenticate(authenticator({ bootstrapKey }), `Bearer ${bootstrapKey.slice(0, -1)}`),
    );
    expect(kind).toBe('unauthorized');
  });

  test('leaves the stored keys valid', async () => {
    expect(await authenticate(authenticator({ bootstrapKey }), `Bearer ${KEY}`)).toEqual({ keyName: 'shop' });
  });
});

describe('a connection that a key was admitted on', () => {
  const connection = {};

  async function admitted(): Promise<ApiKeyAuthenticator> {
    const subject = authenticator();
    await subject.authenticate([`Bearer ${KEY}`], connection);
    return subject;
  }

  test('needs no lookup for the same key while it is known', async () => {
    const subject = await admitted();
    now += 499;
    const caller = subject.authenticate([`Bearer ${KEY}`], connection);
    expect({ caller, lookups: keys.asked.length }).toEqual({ caller: { keyName: 'shop' }, lookups: 1 });
  });

  test('needs a lookup as soon as any other one does', async () => {
    const subject = await admitted();
    now += 500;
    await subject.authenticate([`Bearer ${KEY}`], connection);
    expect(keys.asked).toHaveLength(2);
  });

  test('does not outlive the key', async () => {
    const subject = await admitted();
    keys.stored.clear();
    now += 500;
    const { kind } = await refusal(Promise.resolve(subject.authenticate([`Bearer ${KEY}`], connection)));
    expect(kind).toBe('unauthorized');
  });

  test.each([
    ['no key', []],
    ['another key', [`Bearer ${UNKNOWN_KEY}`]],
    ['half of the key', [`Bearer ${KEY.slice(0, -1)}`]],
    ['the key twice', [`Bearer ${KEY}`, `Bearer ${KEY}`]],
    ['the key and another one', [`Bearer ${KEY}`, `Bearer ${UNKNOWN_KEY}`]],
  ])('does not let in a request with %s', async (_what, headers) => {
    const subject = await admitted();
    const { kind } = await refusal((async () => await subject.authenticate(headers, connection))());
    expect(kind).toBe('unauthorized');
  });

  test('tells the callers apart that take turns on it', async () => {
    await keys.put(new ApiKey('garden', hashApiKey(UNKNOWN_KEY)));
    const subject = await admitted();
    const callers: Caller[] = [];
    for (const key of [UNKNOWN_KEY, KEY, UNKNOWN_KEY]) {
      callers.push(await subject.authenticate([`Bearer ${key}`], connection));
    }
    expect(callers.map(({ keyName }) => keyName)).toEqual(['garden', 'shop', 'garden']);
  });
});
