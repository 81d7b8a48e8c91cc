import type { FilterQuery } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import {
  ApiKey,
  ApiKeyAdministration,
  ApiKeyRefusedError,
  type ApiKeyRotation,
  type ApiKeySelection,
} from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { onDatabase } from '../errors/unavailability.js';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { ApiKeyAuditEntry } from './api-key.mapping.js';

/** The life cycle of the API keys in PostgreSQL. */
@Injectable()
export class MikroOrmApiKeyAdministration extends ApiKeyAdministration {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly current: CurrentTransaction,
  ) {
    super();
  }

  override create(key: ApiKey, actor: string): Promise<ApiKey> {
    return changeApiKeys(this.unitOfWork, this.current, async (em, now) => {
      if ((await liveKeys(em, { name: key.name }, now)).length > 0) throw ApiKeyRefusedError.nameInUse(key.name);
      const created = await insertApiKey(em, key, now);
      await note(em, new ApiKeyAuditEntry(now, actor, 'created', created.id, created.name, detailsOf(created)));
      return created;
    });
  }

  override list(): Promise<ApiKey[]> {
    return onDatabase(() => readApiKeys(this.current.entityManager, {}));
  }

  override rotate(key: ApiKey, graceMs: number, actor: string, expires = true): Promise<ApiKeyRotation> {
    return changeApiKeys(this.unitOfWork, this.current, async (em, now) => {
      const before = await liveKeys(em, { name: key.name }, now);
      const youngest = before.at(-1);
      if (youngest === undefined) throw ApiKeyRefusedError.notLive(key.name);
      const expiresAt = key.expiresAt ?? (expires ? afterLifetimeOf(youngest, now) : undefined);
      const scopes = key.scopes ?? youngest.scopes;
      const created = await insertApiKey(
        em,
        new ApiKey(key.name, key.hash, expiresAt, key.hint, scopes),
        now,
        youngest,
      );

      const graceEnd = new Date(now.getTime() + graceMs);
      const replaced = before.map(({ id }) => id);
      await em.nativeUpdate(
        ApiKey,
        { id: replaced, $or: [{ expiresAt: null }, { expiresAt: { $gt: graceEnd } }] },
        { expiresAt: graceEnd },
      );
      const details = { ...detailsOf(created), replaces: replaced.map(String), graceEndsAt: graceEnd.toISOString() };
      await note(em, new ApiKeyAuditEntry(now, actor, 'rotated', created.id, created.name, details));
      return { created, replaced: await readApiKeys(em, { id: replaced }) };
    });
  }

  override revoke(which: ApiKeySelection, actor: string): Promise<ApiKey[]> {
    return changeApiKeys(this.unitOfWork, this.current, async (em, now) => {
      if ((await em.count(ApiKey, which)) === 0) throw ApiKeyRefusedError.unknown(which);
      const revoked = (await liveKeys(em, which, now)).map(({ id }) => id);
      await em.nativeUpdate(ApiKey, { id: revoked }, { revokedAt: now });
      const keys = await readApiKeys(em, { id: revoked });
      for (const { id, name } of keys) await note(em, new ApiKeyAuditEntry(now, actor, 'revoked', id, name, {}));
      return keys;
    });
  }
}

/** By name, and then by age. Reads from the database and not from the entity manager's cache. */
export async function readApiKeys(em: SqlEntityManager, which: FilterQuery<ApiKey>): Promise<ApiKey[]> {
  const rows = await em.find(ApiKey, which, { orderBy: { name: 'asc', id: 'asc' }, refresh: true });
  return rows.map(withoutNulls);
}

/** A key as the domain has it: MikroORM reads a missing value as `null`. */
function withoutNulls(row: ApiKey): ApiKey {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return Object.assign(new ApiKey(row.name, row.hash), Object.fromEntries(present));
}

/** The live keys, youngest last. */
async function liveKeys(em: SqlEntityManager, which: FilterQuery<ApiKey>, now: Date): Promise<ApiKey[]> {
  return (await readApiKeys(em, which)).filter((key) => key.isLiveAt(now));
}

async function note(em: SqlEntityManager, entry: ApiKeyAuditEntry): Promise<void> {
  const { at, actor, action, keyId, keyName, details } = entry;
  await em.insert(ApiKeyAuditEntry, { at, actor, action, keyId, keyName, details });
}

function afterLifetimeOf({ createdAt, expiresAt }: ApiKey, now: Date): Date | undefined {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

function detailsOf({ expiresAt, scopes }: ApiKey): { expiresAt?: string; scopes?: string[] } {
  return { ...(expiresAt && { expiresAt: expiresAt.toISOString() }), ...(scopes && { scopes: [...scopes] }) };
}

/** Runs a change of API keys in a unit of work after all earlier changes, with the time of the database. */
export function changeApiKeys<Result>(
  unitOfWork: UnitOfWork,
  current: CurrentTransaction,
  work: (em: SqlEntityManager, now: Date) => Promise<Result>,
): Promise<Result> {
  return unitOfWork.run(async () => {
    const em = current.entityManager;
    // The lock ends with the transaction, so it works with a PgBouncer that pools by transaction.
    await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.apiKeys})`);
    const [row] = await em.execute<{ now: number }[]>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    );
    return work(em, new Date(Number(row?.now)));
  });
}

/** Adds a key. It continues the lineage of the key that it replaces, or begins a new lineage: its own id. */
export async function insertApiKey(
  em: SqlEntityManager,
  { name, hash, expiresAt, hint, scopes }: ApiKey,
  now: Date,
  replaced?: ApiKey,
): Promise<ApiKey> {
  const lineageId = replaced?.lineageId ?? replaced?.id ?? null;
  await em.insert(ApiKey, { name, hash, expiresAt, hint, createdAt: now, lineageId, scopes: scopes && [...scopes] });
  const [stored] = await readApiKeys(em, { hash });
  if (stored === undefined) throw new Error('The key that was stored is not there');
  return stored;
}
