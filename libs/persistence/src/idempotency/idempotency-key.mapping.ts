import { defineEntity, p, PrimaryKeyProp } from '@mikro-orm/core';

/** The use of an idempotency key. It is written in the same commit as the effects of the request. */
export class UsedIdempotencyKey {
  readonly [PrimaryKeyProp]?: ['holder', 'key'];

  constructor(
    /** Who used the key: `holderOf` the API key. */
    readonly holder: string,
    readonly key: string,
    /** `fingerprintOf` the content of the request, as 64 hexadecimal digits. */
    readonly fingerprint: string,
    /** The id of what the request created. */
    readonly resultId: bigint,
    readonly createdAt: Date,
    /** The body of the response, if it cannot be derived from the request and the id. */
    readonly resultText?: string,
  ) {}
}

/** The index is for the sweep, which removes expired keys. */
export const UsedIdempotencyKeyMapping = defineEntity({
  class: UsedIdempotencyKey,
  tableName: 'idempotency_keys',
  properties: {
    holder: p.string().length(255).primary(),
    key: p.string().length(255).primary(),
    fingerprint: p.character().length(64),
    resultId: p.bigint(),
    createdAt: p.datetime().defaultRaw('now()').index('idempotency_keys_created_at_index'),
    resultText: p.text().nullable(),
  },
});
