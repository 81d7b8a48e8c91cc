import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailableError, OverloadedError, UnknownOutcomeError } from './errors/translate-database-error.js';
import { SharedStatement } from './shared-statement.js';

const { jest } = import.meta;

/** A statement that the test lets finish when it wants. */
interface Sent {
  readonly calls: readonly string[];
  succeed(): void;
  fail(error: Error): void;
}

/** A shared statement that answers each call with itself in capitals. */
function open(writes = false) {
  const sent: Sent[] = [];
  const run = (calls: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const succeed = () => {
        resolve(calls.map((call) => call.toUpperCase()));
      };
      sent.push({ calls, succeed, fail: reject });
    });
  return { shared: new SharedStatement(run, writes), sent };
}

function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

const DEADLOCK = Object.assign(new Error('deadlock detected'), { code: '40P01' });

describe('a shared statement', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('serves the calls of one turn of the event loop together', async () => {
    const { shared, sent } = open();
    const answers = Promise.all([shared.submit('a'), shared.submit('b')]);
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b']]);
    sent[0]?.succeed();
    expect(await answers).toEqual(['A', 'B']);
  });

  test('is never joined by a call while it is in flight: those wait, and the next one takes them all', async () => {
    const { shared, sent } = open();
    for (const call of ['a', 'a', 'b']) {
      void shared.submit(call);
      await nextTurn();
    }
    expect([sent.map(({ calls }) => calls), shared.waiting]).toEqual([[['a']], 2]);
    sent[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a'], ['a', 'b']]);
  });

  test('takes at most 256 calls', async () => {
    const { shared, sent } = open();
    for (let call = 0; call < 300; call += 1) void shared.submit('a');
    await nextTurn();
    sent[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(sent.map(({ calls }) => calls.length)).toEqual([256, 44]);
  });

  test('refuses a call at once when 10,000 wait', async () => {
    const { shared } = open();
    for (let call = 0; call < 10_000; call += 1) void shared.submit('a').catch(() => undefined);
    await expect(shared.submit('a')).rejects.toThrow(OverloadedError);
  });

  test('refuses a call that has waited for 5 s, also while the statement before it hangs', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { shared, sent } = open();
    void shared.submit('a');
    await nextTurn();
    jest.advanceTimersByTime(3_000);
    const waited = shared.submit('b').catch((error: unknown) => error);
    jest.advanceTimersByTime(4_000);
    void shared.submit('c');
    jest.advanceTimersByTime(1_000);
    expect(await waited).toBeInstanceOf(OverloadedError);
    sent[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(sent[1]?.calls).toEqual(['c']);
  });

  test('is sent for each call alone after it was refused, so that only the wrong one fails', async () => {
    const refused = new Error('value too long');
    const run = jest.fn((calls: readonly string[]) =>
      calls.includes('bad') ? Promise.reject(refused) : Promise.resolve(calls.map((call) => call.toUpperCase())),
    );
    const shared = new SharedStatement(run);
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((call) => shared.submit(call)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(run).toHaveBeenCalledTimes(4);
  });

  test('is sent again after a deadlock, five times in all', async () => {
    const run = jest.fn(() => Promise.reject(DEADLOCK));
    const shared = new SharedStatement<string, string>(run, true);
    await expect(shared.submit('a')).rejects.toMatchObject({ kind: 'unavailable', cause: DEADLOCK });
    expect(run).toHaveBeenCalledTimes(5);
  });

  test('is never repeated where it writes and its connection was lost: its outcome is unknown', async () => {
    const { shared, sent } = open(true);
    const outcomes = Promise.allSettled([shared.submit('a'), shared.submit('b')]);
    await nextTurn();
    sent[0]?.fail(connectionLost());
    expect((await outcomes).map((outcome) => (outcome as PromiseRejectedResult).reason as unknown)).toEqual([
      expect.any(UnknownOutcomeError),
      expect.any(UnknownOutcomeError),
    ]);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['reads and its connection was lost', false, connectionLost()],
    ['writes and found no connection', true, Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ])('tells that the database is away where it %s', async (_what, writes, error) => {
    const { shared, sent } = open(writes);
    const call = shared.submit('a');
    await nextTurn();
    sent[0]?.fail(error);
    await expect(call).rejects.toThrow(DatabaseUnavailableError);
  });
});
