import { defineEntity, p } from '@mikro-orm/core';
import { ApiKey } from '@animal-store/auth';

/** The table `api_keys`. It has the hash of a key as 64 hexadecimal digits, and never the key. */
export const ApiKeyMapping = defineEntity({
  class: ApiKey,
  tableName: 'api_keys',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    name: p.string().length(255),
    hash: p.character().length(64).unique('api_keys_hash_unique'),
    hint: p.string().length(32).nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lineageId: p.bigint().nullable(),
    scopes: p.array().nullable(),
  },
});

const ACTIONS = ['created', 'rotated', 'revoked'] as const;

/** A permanent record of a change of a key: who changed which key, how and when. It never contains a key or a hash. */
export class ApiKeyAuditEntry {
  readonly id!: bigint;

  constructor(
    readonly at: Date,
    /** Who made the change: the name that the administrator gave, or the name of the user in the operating system. */
    readonly actor: string,
    readonly action: (typeof ACTIONS)[number],
    readonly keyId: bigint,
    readonly keyName: string,
    /** More about the change, such as the ids of the keys that a rotation replaced. */
    readonly details: Readonly<Record<string, string | string[]>>,
  ) {}
}

/** The table `api_key_audit`. It has the ids and names of keys and no foreign key, so entries could outlive their keys. */
export const ApiKeyAuditMapping = defineEntity({
  class: ApiKeyAuditEntry,
  tableName: 'api_key_audit',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    at: p.datetime().defaultRaw('now()'),
    actor: p.string().length(255),
    action: p.enum(ACTIONS),
    keyId: p.bigint(),
    keyName: p.string().length(255),
    details: p.json<ApiKeyAuditEntry['details']>(),
  },
});
