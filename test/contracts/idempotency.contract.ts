/* eslint-disable jest/no-export -- the contract of operations with a key: every repository has a file that runs it */
import { IdempotencyKeyReusedError, type IdempotencyKey } from '@animal-store/kernel';

/** An operation that can be requested with a key, whatever resource it creates. */
export interface OpenOnce {
  /**
   * Creates the resource of a request once for the key. The same number stands for the same request, different numbers for
   * different requests.
   */
  once(request: number, key: IdempotencyKey): Promise<{ readonly id: bigint; readonly replayed: boolean }>;
  /** Creates one resource without a key. @returns its id */
  make(): Promise<bigint>;
  /** The ids of all resources that were created after this one, in order. */
  after(id: bigint): Promise<readonly bigint[]>;
  close(): Promise<void>;
}

/** The contract of every operation that runs once for a key. `open` is called once, so the tests share the created resources. */
export function describeIdempotency(name: string, open: () => Promise<OpenOnce>): void {
  describe(`a key ${name}`, () => {
    let subject: OpenOnce;
    /** Other tests may use the same subject with their own keys. */
    const shop = `shop ${crypto.randomUUID()}`;
    let keys = 0;

    beforeAll(async () => {
      subject = await open();
    });

    afterAll(async () => {
      await subject.close();
    });

    /** A key that no test has used. */
    function freshKey(holder = shop): IdempotencyKey {
      keys += 1;
      return { holder, key: `key ${keys}` };
    }

    /** The number of resources that exist as a result of the work. */
    async function madeBy(work: () => Promise<unknown>): Promise<number> {
      const before = await subject.make();
      await work();
      return (await subject.after(before)).length;
    }

    test('is new the first time', async () => {
      const before = await subject.make();
      const { id, replayed } = await subject.once(1, freshKey());
      expect([replayed, await subject.after(before)]).toEqual([false, [id]]);
    });

    test('gives the second call what came of the first', async () => {
      const key = freshKey();
      const first = await subject.once(1, key);
      expect(await subject.once(1, key)).toEqual({ ...first, replayed: true });
    });

    test('makes one thing for many calls at once, and says to one of them that it is new', async () => {
      const key = freshKey();
      const before = await subject.make();
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => subject.once(1, key)));
      const [made, ...others] = await subject.after(before);
      expect([outcomes.every(({ id }) => id === made), others]).toEqual([true, []]);
      expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    });

    test('is refused for another request, for which nothing is made', async () => {
      const key = freshKey();
      await subject.once(1, key);
      const made = await madeBy(() => expect(subject.once(2, key)).rejects.toThrow(IdempotencyKeyReusedError));
      expect(made).toBe(0);
    });

    test('tells calls at once for different requests apart', async () => {
      const key = freshKey();
      const calls = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2].map((request) => subject.once(request, key));
      const outcomes = await Promise.allSettled(calls);
      const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
      expect([done.length, new Set(done).size]).toEqual([5, 1]);
      expect(refused.every((error) => error instanceof IdempotencyKeyReusedError)).toBe(true);
    });

    test('still gives what came of the first call after a refusal', async () => {
      const key = freshKey();
      const { id } = await subject.once(1, key);
      await subject.once(2, key).catch(() => undefined);
      expect((await subject.once(1, key)).id).toBe(id);
    });

    test('of one holder is not that of another', async () => {
      const key = freshKey();
      const first = await subject.once(1, key);
      const second = await subject.once(2, { ...key, holder: 'zoo' });
      expect([second.replayed, second.id === first.id]).toEqual([false, false]);
    });

    test('is told from one that reads the same side by side with its holder', async () => {
      const [first, second] = await Promise.all([
        subject.once(1, { holder: `${shop}b`, key: 'c' }),
        subject.once(1, { holder: shop, key: 'bc' }),
      ]);
      expect(second.id === first.id).toBe(false);
    });

    test.each([
      ['another case', 'Case', 'case'],
      ['255 characters', '~'.repeat(255), '~'.repeat(254)],
      ['quotes and backslashes', `"\\',{}$1`, `"\\',{}$2`],
    ])('is told from another: %s', async (_what, one, other) => {
      const first = await subject.once(1, { holder: shop, key: one });
      const second = await subject.once(1, { holder: shop, key: other });
      const again = await subject.once(1, { holder: shop, key: one });
      expect([second.id === first.id, again.id]).toEqual([false, first.id]);
    });

    test('makes something of its own for each of many that come at once', async () => {
      const made = await madeBy(() => Promise.all(Array.from({ length: 40 }, () => subject.once(1, freshKey()))));
      expect(made).toBe(40);
    });

    test('leaves the order of the ids as it is', async () => {
      const ids = [await subject.make(), (await subject.once(1, freshKey())).id, await subject.make()];
      expect(ids.toSorted((a, b) => Number(a - b))).toEqual(ids);
    });
  });
}
