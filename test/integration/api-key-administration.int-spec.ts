import { MikroORM } from '@mikro-orm/core';
import { type ApiKey, ApiKeyAdministration, ApiKeys, newApiKey } from '@animal-store/auth';
import { ApiKeyAuditEntry } from '../../libs/persistence/src/api-keys/api-key.mapping.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the administration of the API keys', () => {
  const service = useService(createMigratedDatabase);
  let administration: ApiKeyAdministration;
  let keys: ApiKeys;

  beforeAll(() => {
    [administration, keys] = [service.get(ApiKeyAdministration), service.get(ApiKeys)];
  });

  /** The last changes that are kept, newest first. */
  function audit(limit: number): Promise<ApiKeyAuditEntry[]> {
    return service
      .get(MikroORM)
      .em.fork()
      .find(ApiKeyAuditEntry, {}, { orderBy: { id: 'desc' }, limit });
  }

  const create = (holder: string, lifetime?: number): Promise<ApiKey> =>
    administration.create(newKey(holder, lifetime), 'me');

  const live = async (hash: string): Promise<ApiKey | undefined> => {
    const found = await keys.findByHash(hash);
    return found?.end === undefined ? found : undefined;
  };

  const opens = async ({ hash }: ApiKey): Promise<boolean> => (await live(hash)) !== undefined;

  /** Whether a key expires after this lifetime. The comparison is rough, because clocks differ and tests take time. */
  const endsIn = (key: ApiKey | undefined, lifetime: number): boolean =>
    Math.abs((key?.expiresAt?.getTime() ?? Infinity) - Date.now() - lifetime) < 60_000;

  test('creates a key that opens, and gives it with all that is kept of it', async () => {
    const key = newKey('complete', DAY);
    const created = await administration.create(key, 'me');
    expect(created).toMatchObject({ name: key.name, hash: key.hash, expiresAt: key.expiresAt });
    expect(created.end).toBeUndefined();
    expect(await opens(created)).toBe(true);
  });

  test('gives a name to one of those who ask for it at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => create('hurried')));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      ...Array.from({ length: 4 }, () => 'rejected'),
    ]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['revoked', () => administration.revoke('reused revoked', 'me')],
    ['expired', () => administration.rotate(newKey('reused expired', -1), 0, 'me')],
  ])('takes a name again when its key is %s', async (how, end) => {
    const first = await create(`reused ${how}`);
    await end();
    const second = await create(`reused ${how}`);
    expect([await opens(first), await opens(second)]).toEqual([false, true]);
  });

  test('revokes every live key of a name, at once', async () => {
    const first = await create('many');
    const { created: second } = await administration.rotate(newKey('many'), HOUR, 'me');
    const revoked = await administration.revoke('many', 'me');
    expect({
      revoked: revoked.map(({ id }) => id),
      ends: revoked.map(({ end }) => end),
      open: [await opens(first), await opens(second)],
    }).toEqual({ revoked: [first.id, second.id], ends: ['revoked', 'revoked'], open: [false, false] });
  });

  test('revokes nothing the second time, and keeps the time of the first', async () => {
    await create('again');
    const [first] = await administration.revoke('again', 'me');
    const second = await administration.revoke('again', 'me');
    const listed = (await administration.list()).find((key) => key.name === 'again');
    expect({ second, at: listed?.revokedAt }).toEqual({ second: [], at: first?.revokedAt });
  });

  test('does not revoke a key that never was', async () => {
    await expect(administration.revoke('nobody', 'me')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('rotates a key: the new one opens, and the old one until the grace is over', async () => {
    const old = await create('rotated');
    const { created, replaced } = await administration.rotate(newKey('rotated'), HOUR, 'me');
    expect({
      open: [await opens(old), await opens(created)],
      replaced: replaced.map(({ id }) => id),
      grace: endsIn(replaced[0], HOUR),
    }).toEqual({ open: [true, true], replaced: [old.id], grace: true });
  });

  test('ends the old key at once without a grace', async () => {
    const old = await create('rotated at once');
    const { created, replaced } = await administration.rotate(newKey('rotated at once'), 0, 'me');
    expect([await opens(old), await opens(created)]).toEqual([false, true]);
    expect([created, ...replaced].map(({ end }) => end)).toEqual([undefined, 'expired']);
  });

  test('lets the old key live no longer than before, for its expiry or for a grace', async () => {
    await create('short', HOUR);
    const { replaced } = await administration.rotate(newKey('short'), DAY, 'me');
    const { replaced: again } = await administration.rotate(newKey('short'), DAY, 'me');
    expect([...replaced, again[0]].map((key) => endsIn(key, HOUR))).toEqual([true, true]);
  });

  test.each<[string, number | undefined, number]>([
    ['that the old one was made for', undefined, 90 * DAY],
    ['that was asked for', 10 * DAY, 10 * DAY],
  ])('gives the new key the lifetime %s', async (how, asked, expected) => {
    const name = `lifetime ${how}`;
    await create(name, 90 * DAY);
    const { created } = await administration.rotate(newKey(name, asked), HOUR, 'me');
    expect(endsIn(created, expected)).toBe(true);
  });

  test.each(['nobody', 'ended'])('does not rotate where no key is live: %s', async (holder) => {
    if (holder === 'ended') {
      await create('ended');
      await administration.revoke('ended', 'me');
    }
    await expect(administration.rotate(newKey(holder), HOUR, 'me')).rejects.toMatchObject({ kind: 'conflict' });
  });

  const lineageOf = async ({ hash }: ApiKey): Promise<bigint | undefined> => (await live(hash))?.lineageId;

  test('begins a lineage with each key that it creates, and goes on with it at each rotation', async () => {
    const first = await create('lineage');
    const { created: second } = await administration.rotate(newKey('lineage'), HOUR, 'me');
    const { created: third } = await administration.rotate(newKey('lineage'), HOUR, 'me');
    expect(await Promise.all([first, second, third].map(lineageOf))).toEqual([first.id, first.id, first.id]);
  });

  test('begins another lineage under the name of a key that was revoked', async () => {
    const first = await create('lineage revoked');
    const lineage = await lineageOf(first);
    await administration.revoke('lineage revoked', 'me');
    const second = await create('lineage revoked');
    const { created: third } = await administration.rotate(newKey('lineage revoked'), HOUR, 'me');
    expect([lineage, await lineageOf(second), await lineageOf(third)]).toEqual([first.id, second.id, second.id]);
  });

  test('lists every key in the order of names, then of age', async () => {
    await create('list b');
    await create('list a');
    await administration.rotate(newKey('list a'), HOUR, 'me');
    const listed = (await administration.list()).filter((key) => key.name.startsWith('list '));
    expect(listed.map((key) => key.name)).toEqual(['list a', 'list a', 'list b']);
    expect(listed[0]!.id < listed[1]!.id).toBe(true);
  });

  test('keeps who did what to which key, the latest first', async () => {
    const first = await administration.create(newKey('audited'), 'ann');
    const { created: second } = await administration.rotate(newKey('audited'), HOUR, 'bob');
    await administration.revoke('audited', 'cy');
    const entries = (await audit(100)).filter((entry) => entry.keyName === 'audited');
    expect(entries.map(({ actor, action, keyId }) => [actor, action, keyId])).toEqual([
      ['cy', 'revoked', second.id],
      ['cy', 'revoked', first.id],
      ['bob', 'rotated', second.id],
      ['ann', 'created', first.id],
    ]);
    expect(entries[2]?.details).toMatchObject({ replaces: [first.id.toString()] });
    expect(Math.abs(Date.now() - entries[0]!.at.getTime())).toBeLessThan(60_000);
  });

  test('keeps the scopes of a key through its rotations, unless others are given', async () => {
    const scoped = (scopes?: string[]): ApiKey => Object.assign(newKey('scoped'), { scopes });
    await administration.create(scoped(['orders:write']), 'me');
    const { created: same } = await administration.rotate(scoped(), HOUR, 'me');
    const { created: others } = await administration.rotate(scoped(['vets:write', 'orders:read']), HOUR, 'me');
    const entries = (await audit(3)).map(({ details }) => details['scopes']);
    expect({ same: same.scopes, others: others.scopes, entries }).toEqual({
      same: ['orders:write'],
      others: ['vets:write', 'orders:read'],
      entries: [['vets:write', 'orders:read'], ['orders:write'], ['orders:write']],
    });
  });

  test('keeps no entry of what it refused or what changed nothing', async () => {
    await create('quiet');
    await administration.revoke('quiet', 'me');
    const before = await audit(1);
    await administration.revoke('quiet', 'me');
    await administration.rotate(newKey('quiet'), HOUR, 'me').catch(() => undefined);
    expect(await audit(1)).toEqual(before);
  });

  test('keeps neither a key nor its hash in its entries', async () => {
    const key = await create('secret');
    await administration.rotate(newKey('secret'), HOUR, 'me');
    const entries = (await audit(1000)).map(({ details, keyName, actor }) => [details, keyName, actor]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${key.hash}|[0-9a-f]{64}|[0-9a-z]{31}_`));
  });
});

function newKey(name: string, lifetime?: number): ApiKey {
  return newApiKey('astest', name, lifetime === undefined ? undefined : new Date(Date.now() + lifetime)).stored;
}
