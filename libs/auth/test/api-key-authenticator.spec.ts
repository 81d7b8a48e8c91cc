import { generateApiKey, hashApiKey, ApiKey } from '../src/api-key.js';
import { ApiKeyAuthenticator, type AuthenticationOptions } from '../src/api-key-authenticator.js';
import { type Caller, UnauthorizedError } from '../src/caller.js';
import { InMemoryApiKeys } from '../../../test/support/in-memory-api-keys.js';

const { jest } = import.meta;

/** The proven fake, which counts what it is asked and answers when the test says so. */
class ObservedApiKeys extends InMemoryApiKeys {
  /** In either way. */
  readonly asked: string[] = [];
  readonly askedAgain: string[] = [];
  answer: () => Promise<void> = () => Promise.resolve();
  /** For keys that were found before, where it is another one. */
  answerAgain: (() => Promise<void>) | undefined;

  override async findByHash(hash: string): Promise<ApiKey | undefined> {
    this.asked.push(hash);
    const found = await super.findByHash(hash);
    await this.answer();
    return found;
  }

  override async findAgain(hash: string): Promise<ApiKey | undefined> {
    this.asked.push(hash);
    this.askedAgain.push(hash);
    const found = await super.findByHash(hash);
    await (this.answerAgain ?? this.answer)();
    return found;
  }
}

/** As the adapters tell that the store is away. */
class AwayError extends Error {
  readonly kind = 'unavailable';
}

const KEY = generateApiKey('astest');
const UNKNOWN_KEY = generateApiKey('astest');

const STARTED_AT = Date.now();
const SHOP = { id: '1', keyName: 'shop', holder: 'lineage:1' };

let now: number;
let keys: ObservedApiKeys;

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
  jest.spyOn(Date, 'now').mockImplementation(() => STARTED_AT + now);
  keys = new ObservedApiKeys();
  await keys.put(new ApiKey('shop', hashApiKey(KEY)));
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request', () => {
  test('with a key that is stored comes from the holder of the key', async () => {
    expect(await authenticate(authenticator(), `Bearer ${KEY}`)).toEqual(SHOP);
  });

  test.each(['bearer', 'BEARER', 'bEaReR'])('may write the scheme as %s', async (scheme) => {
    expect(await authenticate(authenticator(), `${scheme} ${KEY}`)).toEqual(SHOP);
  });

  test.each([
    ['the scheme alone', 'Bearer'],
    ['no blank behind the scheme', `Bearer${KEY}`],
    ['a tabulator behind the scheme', `Bearer\t${KEY}`],
    ['two keys', `Bearer ${KEY} ${KEY}`],
    ['the key in quotes', `Bearer "${KEY}"`],
    ['characters beyond ASCII', 'Bearer ключ'],
  ])('with a header that says %s is refused', async (_what, header) => {
    const { challenge } = await refusal(authenticate(authenticator(), header));
    expect(challenge).toBe('Bearer realm="animal-store", error="invalid_token"');
  });

  test.each([
    ['Basic dXNlcjpwYXNzd29yZA==', 'has the scheme Basic'],
    [`Token ${KEY}`, 'has the scheme Token'],
    [KEY, 'has no scheme'],
  ])('learns that its header is no Bearer, without its key: %s', async (header, told) => {
    const { message, challenge } = await refusal(authenticate(authenticator(), header));
    expect([message, challenge]).toEqual([
      `The header Authorization ${told}: send Authorization: Bearer <API_KEY>`,
      'Bearer realm="animal-store"',
    ]);
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
    jest.spyOn(keys, 'findByHash').mockResolvedValue(new ApiKey('shop', hashApiKey(KEY)));
    const { kind } = await refusal(authenticate(authenticator(), `Bearer ${UNKNOWN_KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('is asked once for requests that bring the same key at the same time', async () => {
    const subject = authenticator();
    const callers = await Promise.all([1, 2, 3].map(() => authenticate(subject, `Bearer ${KEY}`)));
    expect({ callers, lookups: keys.asked.length }).toEqual({
      callers: [SHOP, SHOP, SHOP],
      lookups: 1,
    });
  });

  test('passes its failure on, so that it is not taken for an invalid key', async () => {
    const failure = new Error('The database is away');
    keys.answer = () => Promise.reject(failure);
    await expect(authenticate(authenticator(), `Bearer ${KEY}`)).rejects.toBe(failure);
  });
});

/** Lets what runs in the background come to its end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('a key that was found', () => {
  let subject: ApiKeyAuthenticator;

  beforeEach(async () => {
    subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
  });

  /** What a request gets at once: a promise means that it had to wait. */
  function immediate(): Caller | Promise<Caller> {
    return subject.authenticate([`Bearer ${KEY}`]);
  }

  test.each([
    [399, true, 1],
    [400, true, 2],
    [899, true, 2],
    [900, false, 2],
  ])('%i ms later is let in at once: %p, with %i lookups in all', (age, atOnce, lookups) => {
    now += age;
    const caller = immediate();
    expect([caller === subject.authenticate([`Bearer ${KEY}`]), keys.asked.length]).toEqual([atOnce, lookups]);
    expect(caller instanceof Promise).toBe(!atOnce);
  });

  test('is known anew when it was found again', async () => {
    now += 400;
    void immediate();
    await settle();
    now += 399;
    expect({ caller: immediate(), lookups: keys.asked.length }).toEqual({ caller: SHOP, lookups: 2 });
  });

  test('is refused at the next request when a lookup in the background finds it revoked', async () => {
    keys.revoke('shop');
    now += 400;
    void immediate();
    await settle();
    const { kind } = await refusal(authenticate(subject, `Bearer ${KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('is refused 900 ms after it was revoked, however slow the lookup in the background is', async () => {
    keys.revoke('shop');
    keys.answer = () => new Promise(() => undefined);
    now += 899;
    const last = immediate();
    keys.answer = () => Promise.resolve();
    now += 901;
    expect(last).toEqual(SHOP);
    const { kind } = await refusal(authenticate(subject, `Bearer ${KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('ages from before the query, which may have taken long', async () => {
    subject = authenticator();
    keys.answer = () => {
      now += 899;
      return Promise.resolve();
    };
    await authenticate(subject, `Bearer ${KEY}`);
    keys.answer = () => Promise.resolve();
    now += 1;
    expect(immediate()).toBeInstanceOf(Promise);
  });
});

describe('a key that the store did not have', () => {
  let subject: ApiKeyAuthenticator;

  beforeEach(async () => {
    subject = authenticator();
    await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
  });

  test('is refused for 500 ms without asking again', async () => {
    now += 499;
    await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    expect(keys.asked).toHaveLength(1);
  });

  test('opens 500 ms later, if it was made meanwhile', async () => {
    await keys.put(new ApiKey('new', hashApiKey(UNKNOWN_KEY)));
    now += 500;
    expect(await authenticate(subject, `Bearer ${UNKNOWN_KEY}`)).toMatchObject({ keyName: 'new' });
  });

  test('opens 500 ms after it was asked for, however slow the answer was', async () => {
    subject = authenticator();
    keys.answer = () => {
      now += 500;
      return Promise.resolve();
    };
    await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    await keys.put(new ApiKey('new', hashApiKey(UNKNOWN_KEY)));
    expect(await authenticate(subject, `Bearer ${UNKNOWN_KEY}`)).toMatchObject({ keyName: 'new' });
  });

  test('is forgotten when 10,000 others came after it, so that strangers cannot fill the memory', async () => {
    for (let other = 0; other < 10_000; other++)
      await refusal(authenticate(subject, `Bearer ${generateApiKey('astest')}`));
    keys.asked.length = 0;
    await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    expect(keys.asked).toEqual([hashApiKey(UNKNOWN_KEY)]);
  });
});

describe('while 1,000 keys that nobody knows are being looked up', () => {
  let subject: ApiKeyAuthenticator;
  let answerAll: () => void;
  let strangers: string[];
  let outcomes: Promise<unknown>;

  beforeEach(async () => {
    subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    const answered = Promise.withResolvers<undefined>();
    answerAll = () => {
      answered.resolve(undefined);
    };
    keys.answer = () => answered.promise;
    keys.answerAgain = () => Promise.resolve();
    strangers = Array.from({ length: 1_000 }, () => generateApiKey('astest'));
    outcomes = Promise.allSettled(strangers.map((key) => authenticate(subject, `Bearer ${key}`)));
    keys.asked.length = 0;
  });

  test('the next one fails at once as unavailable, and the store is not asked', async () => {
    const attempt = authenticate(subject, `Bearer ${UNKNOWN_KEY}`);
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
    expect(keys.asked).toEqual([]);
  });

  test('a key that is known is looked up again beside them, and never waits', async () => {
    const callers: (Caller | Promise<Caller>)[] = [];
    for (let time = 0; time < 5_000; time += 100) {
      now += 100;
      callers.push(subject.authenticate([`Bearer ${KEY}`]));
      await settle();
    }
    expect({ callers: new Set(callers), refreshed: keys.askedAgain.length }).toEqual({
      callers: new Set([SHOP]),
      refreshed: 12,
    });
  });

  test('others are looked up as soon as these have their answers', async () => {
    answerAll();
    await outcomes;
    expect((await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`))).kind).toBe('unauthorized');
  });
});

describe('a key that expires', () => {
  const expiring = generateApiKey('astest');

  test('is refused at its expiry, and not when what is known of it gets old', async () => {
    await keys.put(new ApiKey('soon', hashApiKey(expiring), new Date(Date.now() + 50)));
    const subject = authenticator();
    await authenticate(subject, `Bearer ${expiring}`);
    now += 49;
    const before = subject.authenticate([`Bearer ${expiring}`]);
    now += 1;
    expect(before).toMatchObject({ keyName: 'soon' });
    const { kind } = await refusal(authenticate(subject, `Bearer ${expiring}`));
    expect(kind).toBe('unauthorized');
  });

  test('is not let in after its expiry by a store that is away', async () => {
    await keys.put(new ApiKey('soon', hashApiKey(expiring), new Date(Date.now() + 50)));
    const subject = authenticator();
    await authenticate(subject, `Bearer ${expiring}`);
    keys.answer = () => Promise.reject(new AwayError());
    now += 50;
    await expect(authenticate(subject, `Bearer ${expiring}`)).rejects.toBeInstanceOf(AwayError);
  });
});

describe('while the store is away', () => {
  let subject: ApiKeyAuthenticator;

  beforeEach(async () => {
    subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    keys.answer = () => Promise.reject(new AwayError());
    now += 900;
  });

  test('a key that was known stays known', async () => {
    expect(await authenticate(subject, `Bearer ${KEY}`)).toEqual(SHOP);
  });

  test('a key that was not in use meanwhile is not let in without asking, as the store may be back', async () => {
    await authenticate(subject, `Bearer ${KEY}`);
    keys.answer = () => Promise.resolve();
    keys.revoke('shop');
    now += 900;
    const { kind } = await refusal(authenticate(subject, `Bearer ${KEY}`));
    expect(kind).toBe('unauthorized');
  });

  test('the store is asked at most every 500 ms', async () => {
    await authenticate(subject, `Bearer ${KEY}`);
    keys.asked.length = 0;
    for (let time = 0; time < 5_000; time += 10) {
      now += 10;
      await authenticate(subject, `Bearer ${KEY}`);
      await settle();
    }
    expect(keys.asked).toHaveLength(10);
  });

  test('a key that was known fails as the store does after 10 minutes', async () => {
    await authenticate(subject, `Bearer ${KEY}`);
    now += 10 * 60_000;
    await expect(authenticate(subject, `Bearer ${KEY}`)).rejects.toBeInstanceOf(AwayError);
  });

  test('a store that was not asked, because too much waits for it, lets nobody in: the key may be revoked', async () => {
    await authenticate(subject, `Bearer ${KEY}`);
    keys.answer = () => Promise.reject(Object.assign(new AwayError(), { isOverload: true }));
    now += 900;
    await expect(authenticate(subject, `Bearer ${KEY}`)).rejects.toBeInstanceOf(AwayError);
  });

  test('a failure of another kind lets nobody in', async () => {
    keys.answer = () => Promise.reject(new Error('The statement is wrong'));
    await expect(authenticate(subject, `Bearer ${KEY}`)).rejects.toThrow('The statement is wrong');
  });

  test('a key that is revoked is refused at the first answer of the store that is back', async () => {
    await authenticate(subject, `Bearer ${KEY}`);
    keys.answer = () => Promise.resolve();
    keys.revoke('shop');
    now += 500;
    void subject.authenticate([`Bearer ${KEY}`]);
    await settle();
    const { kind } = await refusal(authenticate(subject, `Bearer ${KEY}`));
    expect(kind).toBe('unauthorized');
  });
});

describe('the use of a key', () => {
  test('is told with every request that it is accepted for', async () => {
    const used: bigint[] = [];
    const subject = new ApiKeyAuthenticator(keys, { bootstrapKey: 'any-16-characters-or-more!' }, (id) =>
      used.push(id),
    );
    for (let times = 0; times < 3; times += 1) {
      await authenticate(subject, `Bearer ${KEY}`);
      await authenticate(subject, 'Bearer any-16-characters-or-more!');
      await refusal(authenticate(subject, `Bearer ${UNKNOWN_KEY}`));
    }
    expect(used).toEqual([1n, 1n, 1n]);
  });
});

describe('after a key was admitted', () => {
  async function admitted(): Promise<ApiKeyAuthenticator> {
    const subject = authenticator();
    await authenticate(subject, `Bearer ${KEY}`);
    return subject;
  }

  test.each([
    ['no key', []],
    ['another key', [`Bearer ${UNKNOWN_KEY}`]],
    ['half of the key', [`Bearer ${KEY.slice(0, -1)}`]],
    ['the key twice', [`Bearer ${KEY}`, `Bearer ${KEY}`]],
    ['the key and another one', [`Bearer ${KEY}`, `Bearer ${UNKNOWN_KEY}`]],
  ])('a request with %s is refused', async (_what, headers) => {
    const subject = await admitted();
    expect((await refusal(authenticate(subject, ...headers))).kind).toBe('unauthorized');
  });

  test('callers that take turns are told apart', async () => {
    await keys.put(new ApiKey('garden', hashApiKey(UNKNOWN_KEY)));
    const subject = await admitted();
    const callers: Caller[] = [];
    for (const key of [UNKNOWN_KEY, KEY, UNKNOWN_KEY, KEY]) callers.push(await authenticate(subject, `Bearer ${key}`));
    expect(callers.map(({ keyName }) => keyName)).toEqual(['garden', 'shop', 'garden', 'shop']);
  });
});
