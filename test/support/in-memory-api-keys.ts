import { ApiKey, ApiKeyRefusedError, ApiKeys, type ApiKeyEnd } from '@animal-store/auth';

/** The API keys in an array, for tests. It passes the same contract tests as the database's adapter. */
export class InMemoryApiKeys extends ApiKeys {
  private readonly keys: ApiKey[] = [];

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    const key = this.keys.find((stored) => stored.hash === hash);
    return Promise.resolve(key && Object.assign(copyOf(key), { end: endOf(key) }));
  }

  override markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void> {
    for (const [id, at] of uses)
      this.change((key) => key.id === id && (key.lastUsedAt ?? at) <= at, { lastUsedAt: at });
    return Promise.resolve();
  }

  create(key: ApiKey): Promise<ApiKey> {
    if (this.liveKeys(key.name).length > 0) return Promise.reject(ApiKeyRefusedError.nameInUse(key.name));
    const id = BigInt(this.keys.length + 1);
    const created = Object.assign(copyOf(key), { id, createdAt: new Date(Date.now()), lineageId: id });
    this.keys.push(created);
    return Promise.resolve(created);
  }

  override nextExpiry(): Promise<{ name: string; expiresAt: Date } | undefined> {
    const live = this.keys.filter((key) => endOf(key) === undefined);
    const ends = [...new Set(live.map(({ name }) => name))].map((name) => ({
      name,
      at: Math.max(...live.filter((key) => key.name === name).map((key) => key.expiresAt?.getTime() ?? Infinity)),
    }));
    const [next] = ends.filter(({ at }) => at < Infinity).toSorted((one, other) => one.at - other.at);
    return Promise.resolve(next && { name: next.name, expiresAt: new Date(next.at) });
  }

  /** With immediate effect, as an operator does. */
  revoke(name: string): Promise<ApiKey[]> {
    const live = this.liveKeys(name);
    for (const key of live) Object.assign(key, { revokedAt: new Date(Date.now()) });
    return Promise.resolve(live);
  }

  private liveKeys(name: string): ApiKey[] {
    return this.keys.filter((key) => key.name === name && endOf(key) === undefined);
  }

  private change(which: (key: ApiKey) => boolean, fields: Partial<ApiKey>): void {
    for (const key of this.keys.filter(which)) Object.assign(key, fields);
  }
}

function endOf({ revokedAt, expiresAt }: ApiKey): ApiKeyEnd | undefined {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt.getTime() <= Date.now() ? 'expired' : undefined;
}

function copyOf(key: ApiKey): ApiKey {
  return Object.assign(new ApiKey(key.name, key.hash), key);
}
