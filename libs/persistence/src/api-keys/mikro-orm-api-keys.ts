import type { SqlEntityManager } from '@mikro-orm/sql';
import { ApiKey, ApiKeys } from '@animal-store/auth';
import { onDatabase } from '../database-errors.js';

/** The API keys in PostgreSQL. */
export class MikroOrmApiKeys extends ApiKeys {
  constructor(private readonly entityManager: SqlEntityManager) {
    super();
  }

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    return onDatabase(async () => (await this.entityManager.fork().findOne(ApiKey, { hash })) ?? undefined);
  }

  override async put({ name, hash }: ApiKey): Promise<void> {
    await onDatabase(() =>
      this.entityManager
        .fork()
        .upsert(ApiKey, { name, hash }, { onConflictFields: ['name'], onConflictMergeFields: ['hash'] }),
    );
  }
}
