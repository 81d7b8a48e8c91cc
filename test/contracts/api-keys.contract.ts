/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import { ApiKey, generateApiKey, hashApiKey, type ApiKeyAdministration, type ApiKeys } from '@animal-store/auth';

/** An adapter, and what fills its store. */
interface Store {
  readonly keys: ApiKeys;
  readonly administration: Pick<ApiKeyAdministration, 'create' | 'revoke'>;
}

/** The contract of every adapter of {@link ApiKeys}. `open` is called once, so the tests share one store. */
export function describeApiKeys(name: string, open: () => Promise<Store>): void {
  describe(`the API keys ${name}`, () => {
    let keys: ApiKeys;
    let administration: Store['administration'];

    beforeAll(async () => {
      ({ keys, administration } = await open());
    });

    const live = async (hash: string) => onlyLive(await keys.findByHash(hash));

    test('give a key that was stored, with all that is kept of it', async () => {
      const hash = newHash();
      const expiresAt = new Date(Date.now() + 3_600_000);
      await administration.create(new ApiKey('shop', hash, expiresAt), 'test');
      const found = await live(hash);
      expect(found).toMatchObject({ name: 'shop', hash, expiresAt });
      expect(typeof found?.id).toBe('bigint');
      // The clock of the database may differ slightly from the clock of the test.
      expect(Math.abs((found?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    test('tell keys apart that differ in the last digit of their hash', async () => {
      const hash = newHash();
      await administration.create(new ApiKey('near', hash), 'test');
      const neighbour = hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');
      expect(await live(neighbour)).toBeUndefined();
    });

    test('answer each of many who ask at once for what he asked, found or not', async () => {
      const stored = Array.from({ length: 20 }, newHash);
      for (const [index, hash] of stored.entries())
        await administration.create(new ApiKey(`asked ${index}`, hash), 'test');
      const asked = Array.from({ length: 700 }, (_, index) => (index % 7 === 0 ? stored[index % 20]! : newHash()));
      const found = await Promise.all(asked.map((hash) => live(hash)));
      expect(found.map((key) => key?.hash)).toEqual(asked.map((hash) => (stored.includes(hash) ? hash : undefined)));
    });

    test('give a key that is refused with the reason', async () => {
      const [revoked, expired] = [newHash(), newHash()];
      await administration.create(new ApiKey('refused', revoked), 'test');
      await administration.revoke('refused', 'test');
      await administration.create(new ApiKey('refused later', expired, new Date(Date.now() - 1_000)), 'test');
      expect(await keys.findByHash(revoked)).toMatchObject({ name: 'refused', end: 'revoked' });
      expect(await keys.findByHash(expired)).toMatchObject({ name: 'refused later', end: 'expired' });
    });

    test.each<[string, string[] | undefined]>([
      ['several', ['orders:write', 'vets:write']],
      ['an empty list', []],
      ['no list', undefined],
    ])('keep the scopes of a key: %s', async (what, scopes) => {
      const hash = newHash();
      await administration.create(new ApiKey(`scoped: ${what}`, hash, undefined, scopes), 'test');
      expect((await live(hash))?.scopes).toEqual(scopes);
    });

    test('tell which name is the first to lose access: not one that has lost it', async () => {
      const inDays = (days: number): Date => new Date(Date.now() + days * 24 * 3_600_000);
      await administration.create(new ApiKey('lost', newHash(), inDays(-1)), 'test');
      await administration.create(new ApiKey('next but one', newHash(), inDays(0.02)), 'test');
      const next = inDays(0.01);
      await administration.create(new ApiKey('next', newHash(), next), 'test');
      expect(await keys.nextExpiry()).toEqual({ name: 'next', expiresAt: next });
      await administration.revoke('next', 'test');
      expect((await keys.nextExpiry())?.name).toBe('next but one');
    });

    test('keep when a key was last used, also when it is told late or out of order', async () => {
      const [used, unused] = [newHash(), newHash()];
      await administration.create(new ApiKey('used', used), 'test');
      await administration.create(new ApiKey('unused', unused), 'test');
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

    test.each(['Löwe 🦁', `O'Brien "\\"`, 'a'.repeat(255), ' blank '])(
      'keep the name of a holder as it is: %j',
      async (holder) => {
        const hash = newHash();
        await administration.create(new ApiKey(holder, hash), 'test');
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
