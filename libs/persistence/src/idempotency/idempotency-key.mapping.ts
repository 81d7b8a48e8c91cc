import { defineEntity, p, PrimaryKeyProp } from '@mikro-orm/core';

/** What was done under a key. It was written by the statement that did it, so there is never one without the other. */
export class UsedIdempotencyKey {
  readonly [PrimaryKeyProp]?: ['holder', 'key'];

  constructor(
    /** Who used it, as `holderOf` tells of an API key. */
    readonly holder: string,
    readonly key: string,
    /** {@link fingerprintOf} what was asked for, as 64 hexadecimal digits. */
    readonly fingerprint: string,
    /** What came of it: the id of what was made. */
    readonly resultId: bigint,
    readonly createdAt: Date,
    /** The answer as it was sent, where it can't be told from what was asked for and the id. */
    readonly resultText?: string,
  ) {}
}

/** The index serves the sweep, which removes what is too old to be used. */
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
