/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import { ApiKey, generateApiKey, hashApiKey, type ApiKeys } from '@animal-store/auth';

/** One adapter without any key. */
export interface OpenApiKeys {
  readonly keys: ApiKeys;
  close(): Promise<void>;
}

/** The contract of every adapter of {@link ApiKeys}. `open` is called once, so the tests share one store. */
export function describeApiKeys(name: string, open: () => Promise<OpenApiKeys>): void {
  describe(`the API keys ${name}`, () => {
    let keys: ApiKeys;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const opened = await open();
      keys = opened.keys;
      close = () => opened.close();
    });

    afterAll(async () => {
      await close();
    });

    test('give a key that was put there, with all that is kept of it', async () => {
      const hash = newHash();
      const expiresAt = new Date(Date.now() + 3_600_000);
      await keys.put(new ApiKey('shop', hash, expiresAt, 'astest_abcd'));
      const found = await keys.findByHash(hash);
      expect(found).toMatchObject({ name: 'shop', hash, expiresAt, hint: 'astest_abcd' });
      expect(typeof found?.id).toBe('bigint');
      // The clock of the database may differ slightly from the clock of the test.
      expect(Math.abs((found?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    test('give nothing for a key that is not there', async () => {
      expect(await keys.findByHash(newHash())).toBeUndefined();
    });

    test('tell keys apart that differ in the last digit of their hash', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('near', hash));
      const neighbour = hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');
      expect(await keys.findByHash(neighbour)).toBeUndefined();
    });

    test('know a new key of the same holder, and forget the one that it replaced', async () => {
      const [old, young] = [newHash(), newHash()];
      await keys.put(new ApiKey('replaced', old));
      await keys.put(new ApiKey('replaced', young));
      expect([await keys.findByHash(old), (await keys.findByHash(young))?.name]).toEqual([undefined, 'replaced']);
    });

    test('may be given the same key of the same holder again', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('again', hash));
      await keys.put(new ApiKey('again', hash));
      expect((await keys.findByHash(hash))?.name).toBe('again');
    });

    test('find again a key that they found, with all that is kept of it', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('found again', hash, new Date(Date.now() + 3_600_000), 'astest_abcd'));
      expect(await keys.findAgain(hash)).toEqual(await keys.findByHash(hash));
    });

    test.each<[string, () => ApiKey]>([
      ['was replaced', () => new ApiKey('not found again', newHash())],
      ['has expired', () => new ApiKey('another', newHash(), new Date(Date.now() - 1_000))],
      ['never was', () => new ApiKey('another', newHash())],
    ])('do not find again a key that %s', async (how, make) => {
      const key = make();
      if (how !== 'never was') await keys.put(key);
      if (how === 'was replaced') await keys.put(new ApiKey('not found again', newHash()));
      expect(await keys.findAgain(key.hash)).toBeUndefined();
    });

    test('answer each of many who ask at once for what he asked, found or not', async () => {
      const stored = Array.from({ length: 20 }, newHash);
      for (const [index, hash] of stored.entries()) await keys.put(new ApiKey(`asked ${index}`, hash));
      const asked = Array.from({ length: 700 }, (_, index) => (index % 7 === 0 ? stored[index % 20]! : newHash()));
      const found = await Promise.all(asked.map((hash) => keys.findByHash(hash)));
      expect(found.map((key) => key?.hash)).toEqual(asked.map((hash) => (stored.includes(hash) ? hash : undefined)));
    });

    test('let a key go on the lineage of the live one that it replaces', async () => {
      const [old, young] = [newHash(), newHash()];
      await keys.put(new ApiKey('lineage', old));
      const before = await keys.findByHash(old);
      await keys.put(new ApiKey('lineage', young));
      expect((await keys.findByHash(young))?.lineageId).toBe(before?.lineageId);
    });

    test('begin a lineage of its own for a key whose name nobody has any more', async () => {
      const [ended, fresh] = [newHash(), newHash()];
      await keys.put(new ApiKey('lineage ended', ended, new Date(Date.now() - 1_000)));
      await keys.put(new ApiKey('lineage ended', fresh));
      const found = await keys.findByHash(fresh);
      expect(found?.lineageId).toBe(found?.id);
    });

    test('give nothing for a key that has expired', async () => {
      const hash = newHash();
      await keys.put(new ApiKey('ended', hash, new Date(Date.now() - 1_000)));
      expect(await keys.findByHash(hash)).toBeUndefined();
    });

    test('keep that a key was used, and when', async () => {
      const [used, unused] = [newHash(), newHash()];
      await keys.put(new ApiKey('used', used));
      await keys.put(new ApiKey('unused', unused));
      const id = (await keys.findByHash(used))?.id ?? 0n;
      await keys.markUsed([id, 9_007_199_254_740_993n]);
      const [first, second] = [await keys.findByHash(used), await keys.findByHash(unused)];
      expect({
        used: Math.abs(Date.now() - (first?.lastUsedAt?.getTime() ?? 0)) < 60_000,
        unused: second?.lastUsedAt,
      }).toEqual({ used: true, unused: undefined });
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
      const found = await Promise.all(hashes.map((hash) => keys.findByHash(hash)));
      expect(found.filter((key) => key !== undefined)).toHaveLength(1);
    });

    test.each(['Löwe 🦁', `O'Brien "\\"`, 'a'.repeat(255), ' blank '])(
      'keep the name of a holder as it is: %j',
      async (holder) => {
        const hash = newHash();
        await keys.put(new ApiKey(holder, hash));
        expect((await keys.findByHash(hash))?.name).toBe(holder);
      },
    );
  });
}

function newHash(): string {
  return hashApiKey(generateApiKey('astest'));
}
