/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import { ApiKey, generateApiKey, hashApiKey, type ApiKeys } from '@animal-store/auth';

/** The contract of every adapter of {@link ApiKeys}. `open` is called once, so the tests share one store. */
export function describeApiKeys(name: string, open: () => Promise<ApiKeys>): void {
  describe(`the API keys ${name}`, () => {
    let keys: ApiKeys;

    beforeAll(async () => {
      keys = await open();
    });

    const live = async (hash: string) => onlyLive(await keys.findByHash(hash));

    test('give a key that was put there, with all that is kept of it', async () => {
      const hash = newHash();
      const expiresAt = new Date(Date.now() + 3_600_000);
      await keys.put(new ApiKey('shop', hash, expiresAt, 'astest_abcd'));
      const found = await live(hash);
      expect(found).toMatchObject({ name: 'shop', hash, expiresAt, hint: 'astest_abcd' });
      expect(typeof found?.id).toBe('bigint');
      // The clock of the database may differ slightly from the clock of the test.
      expect(Math.abs((found?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    test('tell keys apart that differ in the last digit of their hash', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('near', hash));
      const neighbour = hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');
      expect(await live(neighbour)).toBeUndefined();
    });

    test('may be given the same key of the same holder again', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('again', hash));
      await keys.put(new ApiKey('again', hash));
      expect((await live(hash))?.name).toBe('again');
    });

    test('answer each of many who ask at once for what he asked, found or not', async () => {
      const stored = Array.from({ length: 20 }, newHash);
      for (const [index, hash] of stored.entries()) await keys.put(new ApiKey(`asked ${index}`, hash));
      const asked = Array.from({ length: 700 }, (_, index) => (index % 7 === 0 ? stored[index % 20]! : newHash()));
      const found = await Promise.all(asked.map((hash) => live(hash)));
      expect(found.map((key) => key?.hash)).toEqual(asked.map((hash) => (stored.includes(hash) ? hash : undefined)));
    });

    test('let a key go on the lineage of the live one that it replaces', async () => {
      const [old, young] = [newHash(), newHash()];
      await keys.put(new ApiKey('lineage', old));
      const before = await live(old);
      await keys.put(new ApiKey('lineage', young));
      expect((await live(young))?.lineageId).toBe(before?.lineageId);
    });

    test('begin a lineage of its own for a key whose name nobody has any more', async () => {
      const [ended, fresh] = [newHash(), newHash()];
      await keys.put(new ApiKey('lineage ended', ended, new Date(Date.now() - 1_000)));
      await keys.put(new ApiKey('lineage ended', fresh));
      const found = await live(fresh);
      expect(found?.lineageId).toBe(found?.id);
    });

    test('give a key that is refused with the reason', async () => {
      const [replaced, expired] = [newHash(), newHash()];
      await keys.put(new ApiKey('refused', replaced));
      await keys.put(new ApiKey('refused', newHash()));
      await keys.put(new ApiKey('refused later', expired, new Date(Date.now() - 1_000)));
      expect(await keys.findByHash(replaced)).toMatchObject({ name: 'refused', end: 'revoked' });
      expect(await keys.findByHash(expired)).toMatchObject({ name: 'refused later', end: 'expired' });
    });

    test.each<[string, string[] | undefined]>([
      ['several', ['orders:write', 'vets:write']],
      ['a scope that reads like NULL', ['null']],
      ['an empty list', []],
      ['no list', undefined],
    ])('keep the scopes of a key: %s', async (_what, scopes) => {
      const hash = newHash();
      await keys.put(new ApiKey('scoped', hash, undefined, undefined, scopes));
      expect((await live(hash))?.scopes).toEqual(scopes);
    });

    test('tell which name is the first to lose access: not one with a younger key, and not one that has lost it', async () => {
      const inDays = (days: number): Date => new Date(Date.now() + days * 24 * 3_600_000);
      await keys.put(new ApiKey('lost', newHash(), inDays(-1)));
      await keys.put(new ApiKey('next but one', newHash(), inDays(0.02)));
      const next = inDays(0.01);
      await keys.put(new ApiKey('next', newHash(), next));
      expect(await keys.nextExpiry()).toEqual({ name: 'next', expiresAt: next });
      await keys.put(new ApiKey('next', newHash()));
      expect((await keys.nextExpiry())?.name).toBe('next but one');
    });

    test('keep when a key was last used, also when it is told late or out of order', async () => {
      const [used, unused] = [newHash(), newHash()];
      await keys.put(new ApiKey('used', used));
      await keys.put(new ApiKey('unused', unused));
      const id = (await live(used))?.id ?? 0n;
      const lastUse = new Date(Date.now() - 10 * 60_000);
      await keys.markUsed(
        new Map([
          [id, lastUse],
          [9_007_199_254_740_993n, lastUse],
        ]),
      );
      await keys.markUsed(new Map([[id, new Date(lastUse.getTime() - 60_000)]]));
      const [first, second] = [await live(used), await live(unused)];
      // The store has a clock of its own.
      const difference = (first?.lastUsedAt?.getTime() ?? 0) - lastUse.getTime();
      expect({ isThatTime: Math.abs(difference) < 30_000, unused: second?.lastUsedAt }).toEqual({
        isThatTime: true,
        unused: undefined,
      });
    });

    test('refuse a key that another holder has', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('first', hash));
      await expect(keys.put(new ApiKey('second', hash))).rejects.not.toMatchObject({ kind: 'unavailable' });
    });

    test('do not take back a key that was replaced', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('gone', hash));
      await keys.put(new ApiKey('gone', newHash()));
      await expect(keys.put(new ApiKey('gone', hash))).rejects.toThrow('This key was stored before');
    });

    test('keep one key of a holder who gets several at the same time', async () => {
      const hashes = Array.from({ length: 6 }, newHash);
      await Promise.all(hashes.map((hash) => keys.put(new ApiKey('hurried', hash))));
      const found = await Promise.all(hashes.map((hash) => live(hash)));
      expect(found.filter((key) => key !== undefined)).toHaveLength(1);
    });

    test.each(['Löwe 🦁', `O'Brien "\\"`, 'a'.repeat(255), ' blank '])(
      'keep the name of a holder as it is: %j',
      async (holder) => {
        const hash = newHash();
        await keys.put(new ApiKey(holder, hash));
        expect((await live(hash))?.name).toBe(holder);
      },
    );
  });
}

function onlyLive(found: ApiKey | undefined): ApiKey | undefined {
  return found?.end === undefined ? found : undefined;
}

function newHash(): string {
  return hashApiKey(generateApiKey('astest'));
}
