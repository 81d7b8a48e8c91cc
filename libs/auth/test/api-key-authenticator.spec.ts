import { generateApiKey, hashApiKey, ApiKey } from '../src/api-key.js';
import { ApiKeyAuthenticator } from '../src/api-key-authenticator.js';
import { type Caller, UnauthorizedError } from '../src/caller.js';
import { InMemoryApiKeys } from '../../../test/support/in-memory-api-keys.js';

const { jest } = import.meta;

/** The proven fake, which counts what it is asked and answers when the test says so. */
class ObservedApiKeys extends InMemoryApiKeys {
  readonly asked: string[] = [];
  answer: () => Promise<void> = () => Promise.resolve();

  override async findByHash(hash: string): Promise<ApiKey | undefined> {
    this.asked.push(hash);
    const found = await super.findByHash(hash);
    await this.answer();
    return found;
  }
}

/** As the adapters say that the store is unavailable. */
class UnavailableError extends Error {
  readonly kind = 'unavailable';
}

const KEY = generateApiKey('astest');
const BEARER_KEY = `Bearer ${KEY}`;
const UNKNOWN = `Bearer ${generateApiKey('astest')}`;

const BOOTSTRAP_KEY = 'any-16-characters-or-more!';

const STARTED_AT = Date.now();
const SHOP = { id: '1', keyName: 'shop', holder: 'lineage:1' };

let now: number;
let keys: ObservedApiKeys;
let used: bigint[];
let subject: ApiKeyAuthenticator;

/** As the guard calls it, with refusals as rejections whether they come at once or later. */
async function authenticate(...headers: string[]): Promise<Caller> {
  return await subject.authenticate(headers);
}

async function refusalOf(...headers: string[]): Promise<UnauthorizedError> {
  const error: unknown = await authenticate(...headers).catch((reason: unknown) => reason);
  if (error instanceof UnauthorizedError) return error;
  throw new Error('The request was not refused', { cause: error });
}

/** Lets what runs in the background come to its end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

beforeEach(async () => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(Date, 'now').mockImplementation(() => STARTED_AT + now);
  keys = new ObservedApiKeys();
  used = [];
  subject = new ApiKeyAuthenticator(keys, { note: (id) => used.push(id) }, BOOTSTRAP_KEY);
  await keys.create(new ApiKey('shop', hashApiKey(KEY)));
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request', () => {
  test.each(['Bearer', 'BEARER'])('with a stored key behind %s comes from the holder of the key', async (scheme) => {
    expect(await authenticate(`${scheme} ${KEY}`)).toEqual(SHOP);
  });

  test.each([
    ['the scheme alone', ['Bearer']],
    ['no blank behind the scheme', [`Bearer${KEY}`]],
    ['two keys', [`Bearer ${KEY} ${KEY}`]],
    ['the key twice', [BEARER_KEY, BEARER_KEY]],
    ['the key in quotes', [`Bearer "${KEY}"`]],
    ['characters beyond ASCII', ['Bearer ключ']],
  ])('with %s is refused', async (_what, headers) => {
    const { challenge } = await refusalOf(...headers);
    expect(challenge).toBe('Bearer realm="animal-store", error="invalid_token"');
  });

  test.each(['Basic dXNlcjpwYXNzd29yZA==', `Token ${KEY}`, KEY])(
    'with another scheme or none is one without a key: %s',
    async (header) => {
      const { message, challenge } = await refusalOf(header);
      expect([message, challenge]).toEqual([
        'An API key is required: send the header Authorization: Bearer <API_KEY>',
        'Bearer realm="animal-store"',
      ]);
    },
  );
});

describe('the store of the keys', () => {
  test.each([
    ['its checksum does not fit', KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0')],
    ['it has not the form of a key', 'hunter2'],
  ])('is not asked for a key when %s', async (_why, key) => {
    await refusalOf(`Bearer ${key}`);
    expect(keys.asked).toEqual([]);
  });

  test('is not believed when it answers another key than the one asked for', async () => {
    jest.spyOn(keys, 'findByHash').mockResolvedValue(new ApiKey('shop', hashApiKey(KEY)));
    expect((await refusalOf(UNKNOWN)).kind).toBe('unauthorized');
  });

  test('is asked once, by the hash, for requests that bring the same key at the same time', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => authenticate(BEARER_KEY)));
    expect([callers, keys.asked]).toEqual([[SHOP, SHOP, SHOP], [hashApiKey(KEY)]]);
  });
});

describe('a known key', () => {
  beforeEach(async () => {
    await authenticate(BEARER_KEY);
  });

  test.each([
    [399, true, 1],
    [400, true, 2],
    [899, true, 2],
    [900, false, 2],
  ])('%i ms later is accepted at once: %p, with %i lookups in all', (age, atOnce, lookups) => {
    now += age;
    const callers = [subject.authenticate([BEARER_KEY]), subject.authenticate([BEARER_KEY])];
    expect(callers.map((caller) => !(caller instanceof Promise))).toEqual([atOnce, atOnce]);
    expect(keys.asked).toHaveLength(lookups);
  });

  test('is refused 900 ms after it was revoked, however slow the lookup in the background is', async () => {
    await keys.revoke('shop');
    keys.answer = () => new Promise(() => undefined);
    now += 899;
    expect(subject.authenticate([BEARER_KEY])).toEqual(SHOP);
    keys.answer = () => Promise.resolve();
    now += 901;
    expect((await refusalOf(BEARER_KEY)).kind).toBe('unauthorized');
  });

  test('ages from before the query, which may have taken long', async () => {
    now += 900;
    keys.answer = () => {
      now += 899;
      return Promise.resolve();
    };
    await authenticate(BEARER_KEY);
    keys.answer = () => Promise.resolve();
    now += 1;
    expect(subject.authenticate([BEARER_KEY])).toBeInstanceOf(Promise);
  });

  test('is refused when it expires, also by an unavailable store', async () => {
    const expiring = generateApiKey('astest');
    await keys.create(new ApiKey('soon', hashApiKey(expiring), new Date(Date.now() + 50)));
    await authenticate(`Bearer ${expiring}`);
    now += 49;
    expect(subject.authenticate([`Bearer ${expiring}`])).toMatchObject({ keyName: 'soon' });
    now += 1;
    keys.answer = () => Promise.reject(new UnavailableError());
    await expect(authenticate(`Bearer ${expiring}`)).rejects.toBeInstanceOf(UnavailableError);
    keys.answer = () => Promise.resolve();
    expect((await refusalOf(`Bearer ${expiring}`)).kind).toBe('unauthorized');
  });

  test('is looked up again after 10,000 others', async () => {
    const stored = (hash: string) => Object.assign(new ApiKey('many', hash), { id: 1n });
    jest.spyOn(keys, 'findByHash').mockImplementation((hash) => Promise.resolve(stored(hash)));
    for (let others = 1; others < 10_000; others += 1) await authenticate(`Bearer ${generateApiKey('astest')}`);
    const before = subject.authenticate([BEARER_KEY]);
    await authenticate(UNKNOWN);
    expect([before, subject.authenticate([BEARER_KEY])]).toEqual([SHOP, expect.any(Promise)]);
  });
});

describe('while 1,000 unknown keys are being looked up', () => {
  let answered: PromiseWithResolvers<void>;
  let outcomes: Promise<unknown>;

  beforeEach(async () => {
    await authenticate(BEARER_KEY);
    answered = Promise.withResolvers();
    keys.answer = () => answered.promise;
    const strangers = Array.from({ length: 1_000 }, () => generateApiKey('astest'));
    outcomes = Promise.allSettled(strangers.map((key) => authenticate(`Bearer ${key}`)));
    keys.asked.length = 0;
  });

  test('the next one fails at once as unavailable, until these have their answers', async () => {
    await expect(authenticate(UNKNOWN)).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
    expect(keys.asked).toEqual([]);
    answered.resolve();
    await outcomes;
    expect((await refusalOf(UNKNOWN)).kind).toBe('unauthorized');
  });

  test('a known key is looked up beside them', async () => {
    now += 900;
    keys.answer = () => Promise.resolve();
    expect(await authenticate(BEARER_KEY)).toEqual(SHOP);
  });
});

describe('while the store is unavailable', () => {
  beforeEach(async () => {
    await authenticate(BEARER_KEY);
    keys.answer = () => Promise.reject(new UnavailableError());
    now += 900;
  });

  test('a known key is accepted for 10 minutes, and the store is asked every 400 ms', async () => {
    expect(await authenticate(BEARER_KEY)).toEqual(SHOP);
    keys.asked.length = 0;
    for (let time = 0; time < 5_000; time += 10) {
      now += 10;
      await authenticate(BEARER_KEY);
      await settle();
    }
    expect(keys.asked).toHaveLength(12);
    now += 10 * 60_000;
    await expect(authenticate(BEARER_KEY)).rejects.toBeInstanceOf(UnavailableError);
  });

  test('no key is accepted because of a store that fails in another way: it may be revoked', async () => {
    const failure = new Error('The statement is wrong');
    keys.answer = () => Promise.reject(failure);
    await expect(authenticate(BEARER_KEY)).rejects.toBe(failure);
  });
});

test('the use of a stored key is told with every request that it is accepted for', async () => {
  for (let times = 0; times < 3; times += 1) {
    await authenticate(BEARER_KEY);
    await authenticate(`Bearer ${BOOTSTRAP_KEY}`);
    await refusalOf(UNKNOWN);
  }
  expect(used).toEqual([1n, 1n, 1n]);
});
