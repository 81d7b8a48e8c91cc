import { setImmediate as nextTurn } from 'node:timers/promises';
import { BodiesTooLargeError, BodyMemoryBudget, TurnLimiter, type BodyReservation } from './body-limits.js';

describe('BodyMemoryBudget', () => {
  let memory: BodyMemoryBudget;
  let refused: string[];

  beforeEach(() => {
    memory = new BodyMemoryBudget(100);
    refused = [];
  });

  function open(name: string): BodyReservation {
    const room: BodyReservation = memory.open((error) => {
      expect(error).toBeInstanceOf(BodiesTooLargeError);
      refused.push(name);
      room.release();
    });
    return room;
  }

  test('gives room up to the limit', () => {
    open('a').grow(60);
    open('b').grow(40);
    expect(refused).toEqual([]);
  });

  test('counts the room of a body that grows once', () => {
    const room = open('a');
    room.grow(60);
    room.grow(100);
    expect(refused).toEqual([]);
  });

  test('refuses the largest body when there is too little for a smaller one', () => {
    open('large').grow(80);
    open('small').grow(30);
    expect(refused).toEqual(['large']);
  });

  test('refuses the one that asks where it is the largest', () => {
    open('small').grow(30);
    open('large').grow(80);
    expect(refused).toEqual(['large']);
  });

  test('refuses as many as it must', () => {
    const rooms = ['a', 'b', 'c'].map(open);
    for (const room of rooms) room.grow(33);
    const [first] = rooms;
    first?.grow(100);
    expect(refused).toEqual(['a']);
  });

  test('has the room of a body again that was released, once', () => {
    const room = open('a');
    room.grow(100);
    room.release();
    room.release();
    open('b').grow(60);
    open('c').grow(40);
    expect(refused).toEqual([]);
  });
});

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
