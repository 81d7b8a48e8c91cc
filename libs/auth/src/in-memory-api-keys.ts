import { ApiKeys } from './api-key-store.js';
import { ApiKey } from './api-key.js';

/** The API keys in an array, for tests and experiments. It passes the same contract tests as the database's adapter. */
export class InMemoryApiKeys extends ApiKeys {
  private readonly keys: ApiKey[] = [];

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    const now = new Date(Date.now());
    return Promise.resolve(this.keys.find((key) => key.hash === hash && key.isLiveAt(now)));
  }

  override findAgain(hash: string): Promise<ApiKey | undefined> {
    return this.findByHash(hash);
  }

  override markUsed(ids: readonly bigint[]): Promise<void> {
    for (const id of ids) this.change((key) => key.id === id, { lastUsedAt: new Date(Date.now()) });
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

  /** Revokes the keys of a name with immediate effect, as an operator does. */
  revoke(name: string, exceptHash?: string): void {
    this.change((key) => key.name === name && key.hash !== exceptHash, { revokedAt: new Date(Date.now()) });
  }

  private stored({ name, hash, expiresAt, hint }: ApiKey): ApiKey {
    const now = new Date(Date.now());
    const id = BigInt(this.keys.length + 1);
    const before = this.keys.findLast((key) => key.name === name && key.isLiveAt(now));
    const assigned = { id, createdAt: now, lineageId: before === undefined ? id : before.lineageId };
    return Object.assign(new ApiKey(name, hash, expiresAt, hint), assigned);
  }

  private change(which: (key: ApiKey) => boolean, fields: Partial<ApiKey>): void {
    for (const key of this.keys.filter(which)) Object.assign(key, fields);
  }
}
