import { defineEntity, p, PrimaryKeyProp } from '@mikro-orm/core';

/** The use of an idempotency key. It is written in the same commit as the effects of the request. */
export class UsedIdempotencyKey {
  readonly [PrimaryKeyProp]?: ['holder', 'key'];

  constructor(
    /** Who used the key: `holderOf` the API key. */
    readonly holder: string,
    readonly key: string,
    /** `contentHash` of the request, as 64 hexadecimal digits. */
    readonly contentHash: string,
    readonly createdAt: Date,
    /** The id of what the request created. Only the transaction that carries out the request sees it missing. */
    readonly outcomeId?: bigint,
    /** The body of the response, if it cannot be derived from the request and the id. */
    readonly outcomeText?: string,
  ) {}
}

/** The index is for the sweep, which removes expired keys. */
export const UsedIdempotencyKeyMapping = defineEntity({
  class: UsedIdempotencyKey,
  tableName: 'idempotency_keys',
  properties: {
    holder: p.string().length(255).primary(),
    key: p.string().length(255).primary(),
    contentHash: p.character().length(64),
    outcomeId: p.bigint().nullable(),
    outcomeText: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()').index('idempotency_keys_created_at_index'),
  },
});
