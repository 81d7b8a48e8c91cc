import type { FilterQuery } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import {
  ApiKey,
  ApiKeyRefusedError,
  ApiKeys,
  type ApiKeyAdministration,
  type ApiKeyRotation,
} from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseStats } from '../database-stats.js';
import { onDatabase } from '../errors/translate-database-error.js';
import { SharedStatement } from '../shared-statement.js';
import { Statements, type Statement } from '../statements.js';
import { ADVISORY_LOCKS } from '../transactions/lock-additions.js';
import { CurrentTransaction } from '../transactions/mikro-orm-unit-of-work.js';
import { ApiKeyAuditEntry } from './api-key.mapping.js';

/** The API keys in PostgreSQL. Lookups of requests that arrive together share a statement. */
@Injectable()
export class MikroOrmApiKeys extends ApiKeys implements ApiKeyAdministration {
  private readonly lookups = new SharedStatement(async (hashes: readonly string[]) => {
    const keys = await this.read({ hash: [...hashes] });
    const found = new Map(keys.map((key) => [key.hash, key]));
    return hashes.map((hash) => found.get(hash));
  });

  constructor(
    private readonly units: UnitOfWork,
    private readonly current: CurrentTransaction,
    private readonly statements: Statements,
    stats: DatabaseStats,
  ) {
    super();
    stats.shared.set('find_api_keys', this.lookups);
  }

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.lookups.submit(hash);
  }

  override async markUsed(uses: ReadonlyMap<bigint, Date>): Promise<void> {
    const now = Date.now();
    const ages = Array.from(uses.values(), (at) => now - at.getTime());
    await onDatabase(() => this.statements.run(MARK_API_KEYS_USED, [Array.from(uses.keys(), String), ages]));
  }

  override async nextExpiry(): Promise<{ name: string; expiresAt: Date } | undefined> {
    const [next] = await onDatabase(() => this.statements.run(NEXT_API_KEY_EXPIRY, []));
    return next && { name: next[0] as string, expiresAt: new Date(Number(next[1])) };
  }

  create(key: ApiKey, actor: string): Promise<ApiKey> {
    return this.change(async (em, at) => {
      if ((await this.liveKeys(key.name)).length > 0) throw ApiKeyRefusedError.nameInUse(key.name);
      const created = await this.insert(key, at);
      const { expiresAt, scopes } = created;
      await this.writeAudit(created, { at, actor, action: 'created', details: { expiresAt, scopes } });
      return created;
    });
  }

  list(): Promise<ApiKey[]> {
    return onDatabase(() => this.read({}));
  }

  rotate(key: ApiKey, graceMs: number, actor: string): Promise<ApiKeyRotation> {
    return this.change(async (em, at) => {
      const before = await this.liveKeys(key.name);
      const youngest = before.at(-1);
      if (youngest === undefined) throw ApiKeyRefusedError.notLive(key.name);
      const expiresAt = key.expiresAt ?? afterLifetimeOf(youngest, at);
      const scopes = key.scopes ?? youngest.scopes;
      const created = await this.insert(new ApiKey(key.name, key.hash, expiresAt, scopes), at, youngest);

      const graceEndsAt = new Date(at.getTime() + graceMs);
      const id = before.map((old) => old.id);
      const livesLonger = { $or: [{ expiresAt: null }, { expiresAt: { $gt: graceEndsAt } }] };
      await em.nativeUpdate(ApiKey, { id, ...livesLonger }, { expiresAt: graceEndsAt });
      const details = { expiresAt, scopes, replaces: id.map(String), graceEndsAt };
      await this.writeAudit(created, { at, actor, action: 'rotated', details });
      return { created, replaced: await this.read({ id }) };
    });
  }

  revoke(name: string, actor: string): Promise<ApiKey[]> {
    return this.change(async (em, at) => {
      const keys = await this.read({ name });
      if (keys.length === 0) throw ApiKeyRefusedError.unknown(name);
      const id = keys.filter(({ end }) => end === undefined).map((key) => key.id);
      await em.nativeUpdate(ApiKey, { id }, { revokedAt: at });
      const revoked = await this.read({ id });
      for (const key of revoked) await this.writeAudit(key, { at, actor, action: 'revoked', details: {} });
      return revoked;
    });
  }

  /** Runs changes one after another, each in a unit of work and with the time of the database. */
  private change<Result>(work: (em: SqlEntityManager, now: Date) => Promise<Result>): Promise<Result> {
    return this.units.run(async () => {
      const em = this.current.entityManager;
      await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.apiKeys})`);
      const [row] = await em.execute<[{ now: string }]>('select extract(epoch from clock_timestamp()) * 1000 as now');
      return work(em, new Date(Number(row.now)));
    });
  }

  /** Sorted by name and then by age. Always reads from the database, not from the identity map. */
  private async read(which: FilterQuery<ApiKey>): Promise<ApiKey[]> {
    const options = { orderBy: { name: 'asc', id: 'asc' }, disableIdentityMap: true } as const;
    return (await this.current.entityManager.find(ApiKey, which, options)).map(toApiKey);
  }

  private async liveKeys(name: string): Promise<ApiKey[]> {
    return (await this.read({ name })).filter(({ end }) => end === undefined);
  }

  /** The key continues the lineage of the key that it replaces, or begins a lineage, whose id is its own. */
  private async insert(key: ApiKey, now: Date, replaced?: ApiKey): Promise<ApiKey> {
    const { name, hash, expiresAt, scopes } = key;
    const row = { name, hash, expiresAt, scopes, createdAt: now, lineageId: replaced?.lineageId ?? null };
    await this.current.entityManager.insert(ApiKey, row);
    return toApiKey(await this.current.entityManager.findOneOrFail(ApiKey, { hash }, { disableIdentityMap: true }));
  }

  private async writeAudit(
    { id, name }: ApiKey,
    change: Omit<ApiKeyAuditEntry, 'id' | 'keyId' | 'keyName'>,
  ): Promise<void> {
    await this.current.entityManager.insert(ApiKeyAuditEntry, { ...change, keyId: id, keyName: name });
  }
}

/** Removes the nulls of MikroORM. The first key of a lineage is stored without the id of the lineage, which is its own. */
function toApiKey(row: ApiKey): ApiKey {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return Object.assign(new ApiKey(row.name, row.hash), { lineageId: row.id }, Object.fromEntries(present));
}

function afterLifetimeOf({ createdAt, expiresAt }: ApiKey, now: Date): Date | undefined {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

/** The name that loses access first, and when, in milliseconds since 1970. */
const NEXT_API_KEY_EXPIRY: Statement = {
  name: 'next_api_key_expiry',
  text: `
    select name, floor(extract(epoch from max(expires_at)) * 1000)::bigint
    from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now())
    group by name
    having bool_and(expires_at is not null)
    order by 2
    limit 1`,
};

/** `$1`: ids, `$2`: milliseconds since each use, as the clocks may differ. A later use that another instance noted stays. */
const MARK_API_KEYS_USED: Statement = {
  name: 'mark_api_keys_used',
  text: `
    update api_keys set last_used_at = used.at
    from (
      select id, now() - age * interval '1 millisecond' as at from unnest($1::bigint[], $2::float8[]) as noted (id, age)
    ) as used
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`,
};
