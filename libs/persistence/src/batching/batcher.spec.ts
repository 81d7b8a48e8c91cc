import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError, UnknownOutcomeError, OverloadedError } from '../errors/unavailability.js';
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
    slowMs: 60_000,
    maxQueue: 100,
    maxWaitMs: 60_000,
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
  afterEach(() => {
    jest.restoreAllMocks();
  });

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

  test('sends all that wait in the next statement, once none is in flight', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2 });
    for (const call of ['a', 'b', 'c']) {
      void batcher.submit(call);
      await nextTurn();
    }
    expect(statements.map(({ calls }) => calls)).toEqual([['a']]);
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b', 'c']]);
  });

  test('sends a further statement beside one that is slow, as far as allowed', async () => {
    const { batcher, statements } = openBatcher({ maxInFlight: 2, slowMs: 1 });
    for (const call of ['a', 'b', 'c']) {
      void batcher.submit(call);
      await delay(20);
    }
    expect(statements.map(({ calls }) => calls)).toEqual([['a'], ['b']]);
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements[2]?.calls).toEqual(['c']);
  });

  test('sends no more calls together than allowed', async () => {
    const { batcher, statements } = openBatcher({ maxBatch: 2 });
    for (const call of ['a', 'b', 'c', 'd', 'e']) void batcher.submit(call);
    for (const sent of [1, 2, 3]) {
      await nextTurn();
      await nextTurn();
      statements[sent - 1]?.succeed();
    }
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('sends no more together than the weight of the calls allows, and a heavy call alone', async () => {
    const weight = { of: (call: string) => call.length, most: 3 };
    const { batcher, statements } = openBatcher({ weight });
    for (const call of ['a', 'b', 'cc', 'dd', 'eeee']) void batcher.submit(call);
    for (const sent of [1, 2, 3, 4]) {
      await nextTurn();
      await nextTurn();
      statements[sent - 1]?.succeed();
    }
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b'], ['cc'], ['dd'], ['eeee']]);
  });

  test('sends a light call before heavy ones that arrived shortly before it, but not before those that have waited', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const weight = { of: (call: string) => call.length, most: 100 };
    const { batcher, statements } = openBatcher({ weight });
    void batcher.submit('a');
    await nextTurn();
    void batcher.submit('waited');
    clock.mockReturnValue(1_000);
    for (const call of ['heavy', 'b', 'c', 'heavy too']) void batcher.submit(call);
    statements[0]?.succeed();
    await nextTurn();
    await nextTurn();
    expect(statements[1]?.calls).toEqual(['waited', 'b', 'c', 'heavy', 'heavy too']);
  });

  test('hands out large results in portions, and lets the event loop turn between them', async () => {
    const { batcher, statements } = openBatcher({ sizeOf: () => 300_000 });
    const turns = new Set<number>();
    let turn = 0;
    const answers = ['a', 'b', 'c', 'd', 'e'].map((call) => batcher.submit(call).then(() => turns.add(turn)));
    const answered = Promise.all(answers).then(() => true);
    await nextTurn();
    statements[0]?.succeed();
    while (!(await Promise.race([answered, nextTurn(false)]))) turn += 1;
    expect(turns.size).toBeGreaterThanOrEqual(3);
  });

  test('hands out no further portion while each turn of the event loop brings a call', async () => {
    const { batcher, statements } = openBatcher({ sizeOf: () => 1_000_000 });
    let settled = 0;
    for (const call of ['a', 'b']) void batcher.submit(call).then(() => (settled += 1));
    await nextTurn();
    statements[0]?.succeed();
    for (let turn = 0; turn < 10; turn++) {
      void batcher.submit('c');
      await nextTurn();
    }
    expect(settled).toBe(1);
    while (settled < 2) await nextTurn();
  });

  test('sends the next statement before all large results of the last are handed out', async () => {
    const { batcher, statements } = openBatcher({ sizeOf: () => 1_000_000 });
    const settled: string[] = [];
    for (const call of ['a', 'b', 'c', 'd']) void batcher.submit(call).then((answer) => settled.push(answer));
    await nextTurn();
    void batcher.submit('next');
    statements[0]?.succeed();
    while (statements.length < 2) await nextTurn();
    expect(settled.length).toBeLessThan(4);
  });

  test('refuses a call at once when too many wait', async () => {
    const { batcher } = openBatcher({ maxQueue: 2 });
    void batcher.submit('a');
    void batcher.submit('b');
    await expect(batcher.submit('c')).rejects.toThrow(OverloadedError);
  });

  test('refuses a call that waited too long, and sends those behind it', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { batcher, statements } = openBatcher({ maxWaitMs: 50 });
    void batcher.submit('a');
    await nextTurn();
    const tooLong = batcher.submit('b');
    clock.mockReturnValue(60);
    void batcher.submit('c');
    statements[0]?.succeed();
    await expect(tooLong).rejects.toThrow(OverloadedError);
    expect(statements[1]?.calls).toEqual(['c']);
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
