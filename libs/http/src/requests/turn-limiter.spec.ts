import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnLimiter } from './turn-limiter.js';

describe('TurnLimiter', () => {
  let done: number[];

  beforeEach(() => {
    done = [];
  });

  async function ask(turns: TurnLimiter, ...numbers: number[]): Promise<void> {
    await Promise.all(numbers.map((number) => turns.next().then(() => done.push(number))));
  }

  test('lets as many go on in a turn of the event loop as may, in their order', async () => {
    const all = ask(new TurnLimiter(2), 1, 2, 3, 4, 5);
    const seen: string[] = [];
    while (done.length < 5) {
      await nextTurn();
      seen.push(done.join(' '));
    }
    await all;
    expect([...new Set(seen)]).toEqual(['1 2', '1 2 3 4', '1 2 3 4 5']);
  });

  test('lets nobody go on in the turn in which it was asked', async () => {
    const all = ask(new TurnLimiter(2), 1);
    await Promise.resolve();
    expect(done).toEqual([]);
    await all;
    expect(done).toEqual([1]);
  });
});
