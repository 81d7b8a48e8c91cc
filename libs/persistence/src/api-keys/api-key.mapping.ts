import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ApiKey, type ApiKeyEnd } from '@animal-store/auth';

/** `hash` is the hash of the key as 64 hexadecimal digits. The key itself is never stored. */
export const ApiKeyMapping = defineEntity({
  class: ApiKey,
  tableName: 'api_keys',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    name: p.string().length(255),
    hash: p.character().length(64).unique('api_keys_hash_unique'),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lineageId: p.bigint().nullable(),
    scopes: p.array().$type<readonly string[]>().nullable(),
    // By the clock of the database, and not as of the start of a transaction, which may have waited for others.
    end: p
      .string()
      .$type<ApiKeyEnd>()
      .formula(
        (key) =>
          `case when ${key.revokedAt} is not null then 'revoked' when ${key.expiresAt} <= statement_timestamp() then 'expired' end`,
      )
      .nullable(),
  },
});

/** The changes of keys, without any key or hash. It has no foreign key, so entries could outlive their keys. */
export const ApiKeyAuditEntry = defineEntity({
  name: 'ApiKeyAuditEntry',
  tableName: 'api_key_audit',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    at: p.datetime().defaultRaw('now()'),
    actor: p.string().length(255),
    action: p.enum(['created', 'rotated', 'revoked'] as const),
    keyId: p.bigint(),
    keyName: p.string().length(255),
    details: p.json<Readonly<Record<string, unknown>>>(),
  },
});

export type ApiKeyAuditEntry = InferEntity<typeof ApiKeyAuditEntry>;
