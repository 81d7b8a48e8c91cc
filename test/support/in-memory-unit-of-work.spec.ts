import { setImmediate as nextTurn } from 'node:timers/promises';
import { InMemoryState, InMemoryUnitOfWork } from './in-memory-unit-of-work.js';

describe('a unit of work in memory', () => {
  let units: InMemoryUnitOfWork;
  let state: InMemoryState<readonly string[]>;

  beforeEach(() => {
    units = new InMemoryUnitOfWork();
    state = new InMemoryState<readonly string[]>(units, []);
  });

  async function append(word: string): Promise<void> {
    const before = state.value;
    await nextTurn();
    state.value = [...before, word];
  }

  test('keeps what its work did, and answers what it answered', async () => {
    const answer = await units.run(async () => {
      await append('one');
      return state.value.length;
    });
    expect([answer, state.value]).toEqual([1, ['one']]);
  });

  test('keeps nothing when its work throws', async () => {
    const failing = units.run(async () => {
      await append('one');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(state.value).toEqual([]);
  });

  test('keeps nothing when its work throws before it waits', async () => {
    const failing = units.run(() => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  });

  test('shows to nobody else what it has not done yet', async () => {
    const begun = Promise.withResolvers<undefined>();
    const seen = Promise.withResolvers<undefined>();
    const done = units.run(async () => {
      await append('one');
      begun.resolve(undefined);
      await seen.promise;
    });
    await begun.promise;
    const outside = state.value;
    seen.resolve(undefined);
    await done;
    expect([outside, state.value]).toEqual([[], ['one']]);
  });

  test('waits for the one before it, so that no change is lost', async () => {
    const words = Array.from({ length: 10 }, (_, index) => String(index));
    await Promise.all(words.map((word) => units.run(() => append(word))));
    expect(state.value).toEqual(words);
  });

  test('goes on after one that threw', async () => {
    await units.run(() => Promise.reject(new Error('no'))).catch(() => undefined);
    await units.run(() => append('one'));
    expect(state.value).toEqual(['one']);
  });

  test('belongs to the outer one when it is inside another', async () => {
    const failing = units.run(async () => {
      await units.run(() => append('one'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(state.value).toEqual([]);
  });

  test('takes nothing from work that goes on after its end', async () => {
    let late: Promise<void> | undefined;
    await units.run(() => {
      late = nextTurn().then(() => append('late'));
      return Promise.resolve();
    });
    await expect(late).rejects.toThrow('belongs inside a unit of work');
  });

  test('is where a value is changed, and nowhere else', () => {
    expect(() => {
      state.value = ['one'];
    }).toThrow('A change of what is kept in memory belongs inside a unit of work');
  });
});
