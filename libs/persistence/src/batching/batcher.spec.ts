import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import {
  DatabaseUnavailableError,
  UnknownOutcomeError,
  AbandonedError,
  OverloadedError,
} from '../errors/unavailability.js';
import { Batcher, type BatcherOptions } from './batcher.js';

/** A statement that the test lets finish when it wants. */
interface Statement {
  readonly calls: readonly string[];
  succeed(): void;
  fail(error: Error): void;
}

/** A batcher whose statements answer each call with itself in capitals. */
function openBatcher(options: Partial<BatcherOptions<string, string>> = {}) {
  const statements: Statement[] = [];
  const batcher = new Batcher<string, string>({
    maxBatch: 100,
    maxInFlight: 1,
    maxQueue: 100,
    flushThreshold: 100,
    overlapThreshold: 1,
    patienceMs: 1_000,
    lingerTurns: 0,
    lingerAfterMs: 0,
    maxWaitMs: 1_000,
    writes: false,
    run: (calls) =>
      new Promise((resolve, reject) => {
        statements.push({
          calls,
          succeed: () => {
            resolve(calls.map((call) => call.toUpperCase()));
          },
          fail: reject,
        });
      }),
    ...options,
  });
  return { batcher, statements };
}

function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

const { jest } = import.meta;

describe('Batcher', () => {
  test('sends the first call in the same turn of the event loop', async () => {
    const { batcher, statements } = openBatcher();
    void batcher.submit('a');
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a']]);
  });

  test('tells how old its oldest call is that is not settled, waiting or under way', async () => {
    const { batcher, statements } = openBatcher();
    expect(batcher.oldestCallMs).toBe(0);
    const first = batcher.submit('a');
    await delay(60);
    const before = performance.now();
    const second = batcher.submit('b');
    expect(batcher.oldestCallMs).toBeGreaterThanOrEqual(50);
    statements[0]?.succeed();
    await first;
    await nextTurn();
    expect(batcher.oldestCallMs).toBeLessThanOrEqual(performance.now() - before);
    await delay(60);
    expect(batcher.oldestCallMs).toBeGreaterThanOrEqual(50);
    statements[1]?.succeed();
    await second;
    await nextTurn();
    expect(batcher.oldestCallMs).toBe(0);
  });

  test('lets calls of one turn travel together', async () => {
    const { batcher, statements } = openBatcher();
    const answers = Promise.all([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b']]);
    statements[0]?.succeed();
    expect(await answers).toEqual(['A', 'B']);
  });

  test('sends many calls at once, before the turn that brings more is over', () => {
    const { batcher, statements } = openBatcher({ flushThreshold: 2 });
    for (const call of ['a', 'b', 'c']) void batcher.submit(call);
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b']]);
  });

  test('never lets a call join a statement that is under way', async () => {
    const { batcher, statements } = openBatcher();
    void batcher.submit('a');
    await nextTurn();
    const late = batcher.submit('a');
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['a']]);
    statements[1]?.succeed();
    expect(await late).toBe('A');
  });

  test('lets those who were answered call again before the next statement leaves, for some turns', async () => {
    const { batcher, statements } = openBatcher({ lingerTurns: 4 });
    const first = batcher.submit('a');
    await nextTurn();
    void batcher.submit('b');
    statements[0]?.succeed();
    await first;
    void batcher.submit('a again');
    for (let turn = 0; turn < 6; turn++) await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b', 'a again']]);
  });

  test('does not gather after a statement that was fast', async () => {
    const { batcher, statements } = openBatcher({ lingerTurns: 4, lingerAfterMs: 60_000 });
    void batcher.submit('a');
    await nextTurn();
    void batcher.submit('b');
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b']]);
  });

  test('gathers no longer than it may, even if every turn brings another call', async () => {
    const { batcher, statements } = openBatcher({ lingerTurns: 3 });
    void batcher.submit('first');
    await nextTurn();
    statements[0]?.succeed();
    for (let turn = 0; turn < 10; turn++) {
      void batcher.submit(`${turn}`);
      await nextTurn();
    }
    expect(statements[1]?.calls.length).toBeLessThanOrEqual(5);
  });

  test('gathers the calls that arrive while as many statements as allowed are under way', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2 });
    for (const call of ['a', 'b', 'c', 'd']) {
      void batcher.submit(call);
      await nextTurn();
    }
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b']]);
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements[2]?.calls).toEqual(['c', 'd']);
  });

  test('sends a further statement beside one in flight for many calls, and lets few of them wait', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2, overlapThreshold: 2 });
    void batcher.submit('a');
    await nextTurn();
    void batcher.submit('b');
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a']]);
    void batcher.submit('c');
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b', 'c']]);
  });

  test('sends a further statement beside a slow one for a single call, after its patience', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2, overlapThreshold: 2, patienceMs: 20 });
    void batcher.submit('a');
    await nextTurn();
    void batcher.submit('b');
    await delay(50);
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b']]);
  });

  test('lets no call wait longer for a statement in flight because a call before it was sent meanwhile', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2, overlapThreshold: 2, patienceMs: 100 });
    void batcher.submit('a');
    await nextTurn();
    void batcher.submit('b');
    await nextTurn();
    statements[0]?.succeed();
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    await delay(10);
    void batcher.submit('c');
    await delay(150);
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b'], ['c']]);
  });

  test('sends no more calls together than allowed', async () => {
    const { batcher, statements } = openBatcher({ maxBatch: 2, maxInFlight: 10 });
    for (const call of ['a', 'b', 'c', 'd', 'e']) void batcher.submit(call);
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('refuses a call at once when too many wait', async () => {
    const { batcher } = openBatcher({ maxQueue: 2 });
    void batcher.submit('a');
    void batcher.submit('b');
    await expect(batcher.submit('c')).rejects.toThrow(OverloadedError);
  });

  test('refuses a call that waited too long, and sends those behind it', async () => {
    const { batcher, statements } = openBatcher({ maxWaitMs: 50 });
    void batcher.submit('a');
    await nextTurn();
    const tooLong = batcher.submit('b');
    await delay(60);
    void batcher.submit('c');
    statements[0]?.succeed();
    await expect(tooLong).rejects.toThrow(OverloadedError);
    expect(statements[1]?.calls).toEqual(['c']);
  });

  test('drops a call that nobody waits for any more', async () => {
    const { batcher, statements } = openBatcher();
    const client = new AbortController();
    const abandoned = batcher.submit('a', client.signal);
    void batcher.submit('b', new AbortController().signal);
    client.abort();
    await expect(abandoned).rejects.toThrow(AbandonedError);
    expect(statements.map(({ calls }) => calls)).toEqual([['b']]);
  });

  test('sends no statement when nobody waits for any of its calls', async () => {
    const { batcher, statements } = openBatcher();
    await expect(batcher.submit('a', AbortSignal.abort())).rejects.toThrow(AbandonedError);
    expect(statements).toEqual([]);
  });

  test('sends a statement again that was ended so that another transaction could go on', async () => {
    const { batcher, statements } = openBatcher({ writes: true });
    const answers = Promise.all([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    statements[0]?.fail(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
    await nextTurn();
    statements[1]?.succeed();
    expect([await answers, statements[1]?.calls]).toEqual([
      ['A', 'B'],
      ['a', 'b'],
    ]);
  });

  test('gives up a call that is ended again and again', async () => {
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    let sent = 0;
    const run = () => {
      sent += 1;
      return Promise.reject(deadlock);
    };
    const { batcher } = openBatcher({ writes: true, run });
    await expect(batcher.submit('a')).rejects.toBe(deadlock);
    expect(sent).toBe(5);
  });

  test('lets a call that the database refuses fail alone', async () => {
    const refused = new Error('value too long');
    const run = jest.fn((calls: readonly string[]) =>
      calls.includes('bad') ? Promise.reject(refused) : Promise.resolve(calls.map((call) => call.toUpperCase())),
    );
    const { batcher } = openBatcher({ run });
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((call) => batcher.submit(call)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(run).toHaveBeenCalledTimes(4);
  });

  test('never repeats a write whose connection was lost, and says that its outcome is unknown', async () => {
    const { batcher, statements } = openBatcher({ writes: true });
    const outcomes = Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    statements[0]?.fail(connectionLost());
    for (const outcome of await outcomes) {
      expect(outcome).toEqual({ status: 'rejected', reason: expect.any(UnknownOutcomeError) as unknown });
    }
    expect(statements).toHaveLength(1);
  });

  test('says that the database is unavailable when a read lost its connection', async () => {
    const { batcher, statements } = openBatcher();
    const read = batcher.submit('a');
    await nextTurn();
    statements[0]?.fail(connectionLost());
    await expect(read).rejects.toThrow(DatabaseUnavailableError);
  });

  test('does not call the outcome of a write unknown that found no connection', async () => {
    const { batcher, statements } = openBatcher({ writes: true });
    const write = batcher.submit('a');
    await nextTurn();
    statements[0]?.fail(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    await expect(write).rejects.toThrow(DatabaseUnavailableError);
  });
});
