import { ApiKey, ApiKeys } from '@animal-store/auth';
import type { UnitOfWork } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import { KEY_LOOKUP_LIMITS, KEY_REFRESH_LIMITS, type BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import { type Statement, toBigInt, type Row, type SqlExecutor } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { changeApiKeys, insertApiKey, readApiKeys } from './mikro-orm-api-key-administration.js';

/** The API keys in PostgreSQL. Waiting lookups share a statement. */
export class MikroOrmApiKeys extends ApiKeys {
  /** By the name of the statement: for keys that are not cached and may not exist, and for keys that were found before. */
  readonly batchers = {
    find_api_keys: this.lookupsBy('find_api_keys', KEY_LOOKUP_LIMITS),
    refresh_api_keys: this.lookupsBy('refresh_api_keys', KEY_REFRESH_LIMITS),
  };

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly current: CurrentTransaction,
    private readonly executor: SqlExecutor,
  ) {
    super();
  }

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.batchers.find_api_keys.submit(hash);
  }

  override findAgain(hash: string): Promise<ApiKey | undefined> {
    return this.batchers.refresh_api_keys.submit(hash);
  }

  override async markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void> {
    const now = Date.now();
    const ages = Array.from(uses.values(), (at) => now - at.getTime());
    await onDatabase(() => this.executor.run(MARK_API_KEYS_USED, [Array.from(uses.keys(), String), ages]));
  }

  override async nextExpiry(): Promise<{ name: string; expiresAt: Date } | undefined> {
    const [next] = await onDatabase(() => this.executor.run(NEXT_API_KEY_EXPIRY, []));
    return next && { name: next[0] as string, expiresAt: new Date(Number(next[1])) };
  }

  override put(key: ApiKey): Promise<void> {
    const { name, hash } = key;
    return changeApiKeys(this.unitOfWork, this.current, async (em, now) => {
      const [same] = await readApiKeys(em, { hash });
      if (same !== undefined && (same.name !== name || same.revokedAt !== undefined))
        throw new Error('This key was stored before');
      const before = await readApiKeys(em, { name, hash: { $ne: hash }, revokedAt: null });
      await em.nativeUpdate(ApiKey, { id: before.map(({ id }) => id) }, { revokedAt: now });
      if (same === undefined)
        await insertApiKey(
          em,
          key,
          now,
          before.findLast((other) => other.isLiveAt(now)),
        );
    });
  }

  private lookupsBy(name: string, limits: BatchingLimits): Batcher<string, ApiKey | undefined> {
    const statement = findApiKeys(name);
    return new Batcher({
      ...limits,
      writes: false,
      run: async (hashes: readonly string[]) => {
        const rows = await this.executor.run(statement, [hashes]);
        const found = new Map(rows.map((row) => [row[0], toApiKey(row)]));
        return hashes.map((hash) => found.get(hash));
      },
    });
  }
}

/** SQL: a point in time as whole milliseconds since 1970, for `Date`. */
function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

/**
 * Finds keys. `$1`: hashes. Rows: hash, id, name, hint, the times of creation, expiry and last use in milliseconds since
 * 1970, lineage, the scopes separated by blanks, and why the key is refused, if it is. The hashes are compared as
 * `char(64)`: a comparison as `text` could not use the index.
 */
function findApiKeys(name: string): Statement {
  return {
    name,
    text: `
      select hash, id, name, hint,
        ${milliseconds('created_at')}, ${milliseconds('expires_at')}, ${milliseconds('last_used_at')},
        coalesce(lineage_id, id),
        array_to_string(scopes, ' '),
        case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' end
      from api_keys
      where hash = any($1::bpchar[])`,
  };
}

/** Finds the name that is the first to lose access, and when, in milliseconds since 1970. */
const NEXT_API_KEY_EXPIRY: Statement = {
  name: 'next_api_key_expiry',
  text: `
    select name, ${milliseconds('max(expires_at)')}
    from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now())
    group by name
    having bool_and(expires_at is not null)
    order by 2
    limit 1`,
};

/**
 * Notes when keys were last used. `$1`: ids, `$2`: how long ago each was used, in milliseconds, because the database has a clock
 * of its own. Other instances may have seen a later use.
 */
const MARK_API_KEYS_USED: Statement = {
  name: 'mark_api_keys_used',
  text: `
    update api_keys set last_used_at = used.at
    from (
      select id, now() - age * interval '1 millisecond' as at from unnest($1::bigint[], $2::float8[]) as noted (id, age)
    ) as used
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`,
};

function toApiKey([hash, id, name, hint, createdAt, expiresAt, lastUsedAt, lineageId, scopes, end]: Row): ApiKey {
  const key = new ApiKey(
    name as string,
    hash as string,
    toDate(expiresAt),
    (hint ?? undefined) as string | undefined,
    (scopes as string | null)?.split(' ').filter((scope) => scope !== ''),
  );
  return Object.assign(key, {
    id: toBigInt(id),
    createdAt: toDate(createdAt),
    lastUsedAt: toDate(lastUsedAt),
    lineageId: toBigInt(lineageId),
    end: end ?? undefined,
  });
}

function toDate(milliseconds: unknown): Date | undefined {
  return milliseconds === null ? undefined : new Date(Number(milliseconds));
}
