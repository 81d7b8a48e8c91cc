import { defineEntity, p } from '@mikro-orm/core';
import { ApiKeyAuditEntry, type ApiKeyAction } from '@animal-store/auth';

const ACTIONS: readonly ApiKeyAction[] = ['created', 'rotated', 'revoked'];

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
