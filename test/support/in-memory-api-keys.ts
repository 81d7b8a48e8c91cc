import { ApiKey, ApiKeys } from '@animal-store/auth';

/** The API keys in an array, for tests. It passes the same contract tests as the database's adapter. */
export class InMemoryApiKeys extends ApiKeys {
  private readonly keys: ApiKey[] = [];

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    const key = this.keys.find((stored) => stored.hash === hash);
    const state = key?.stateAt(new Date(Date.now()));
    if (key === undefined || (state !== 'revoked' && state !== 'expired')) return Promise.resolve(key);
    return Promise.resolve(Object.assign(copyOf(key), { end: state }));
  }

  override markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void> {
    for (const [id, at] of uses)
      this.change((key) => key.id === id && (key.lastUsedAt ?? at) <= at, { lastUsedAt: at });
    return Promise.resolve();
  }

  override put(key: ApiKey): Promise<void> {
    const same = this.keys.find(({ hash }) => hash === key.hash);
    if (same !== undefined && (same.name !== key.name || same.revokedAt !== undefined))
      return Promise.reject(new Error('This key was stored before'));
    if (same === undefined) this.keys.push(this.stored(key));
    this.revoke(key.name, key.hash);
    return Promise.resolve();
  }

  override nextExpiry(): Promise<{ name: string; expiresAt: Date } | undefined> {
    const now = new Date(Date.now());
    const live = this.keys.filter((key) => key.isLiveAt(now));
    const ends = [...new Set(live.map(({ name }) => name))].map((name) => ({
      name,
      at: Math.max(...live.filter((key) => key.name === name).map((key) => key.expiresAt?.getTime() ?? Infinity)),
    }));
    const [next] = ends.filter(({ at }) => at < Infinity).toSorted((one, other) => one.at - other.at);
    return Promise.resolve(next && { name: next.name, expiresAt: new Date(next.at) });
  }

  /** Revokes the keys of a name with immediate effect, as an operator does. */
  revoke(name: string, exceptHash?: string): void {
    this.change((key) => key.name === name && key.hash !== exceptHash, { revokedAt: new Date(Date.now()) });
  }

  private stored(key: ApiKey): ApiKey {
    const { name } = key;
    const now = new Date(Date.now());
    const id = BigInt(this.keys.length + 1);
    const before = this.keys.findLast((other) => other.name === name && other.isLiveAt(now));
    const assigned = { id, createdAt: now, lineageId: before === undefined ? id : before.lineageId };
    return Object.assign(copyOf(key), assigned);
  }

  private change(which: (key: ApiKey) => boolean, fields: Partial<ApiKey>): void {
    for (const key of this.keys.filter(which)) Object.assign(key, fields);
  }
}

function copyOf(key: ApiKey): ApiKey {
  return Object.assign(new ApiKey(key.name, key.hash), key);
}
