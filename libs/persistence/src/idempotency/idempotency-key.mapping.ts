import { hash } from 'node:crypto';
import { defineEntity, p, PrimaryKeyProp } from '@mikro-orm/core';
import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';

/** The use of an idempotency key. It is written in the same commit as the effects of the request. */
export class UsedIdempotencyKey {
  readonly [PrimaryKeyProp]?: ['holder', 'key'];

  constructor(
    /** Who used the key: `holderOf` the API key. */
    readonly holder: string,
    readonly key: string,
    /** {@link fingerprintOf} the content of the request, as 64 hexadecimal digits. */
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

/** The SHA-256 of the content of a request, as 64 hexadecimal digits. It is stored to recognize the same request. */
export function fingerprintOf(content: string): string {
  return hash('sha256', content, 'hex');
}

/** The age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/** SQL: keeps the value of a key's first use, unless the key has expired. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

const FIRST_USE = ['fingerprint', 'result_id', 'result_text', 'created_at'].map(firstUse).join(', ');

/** SQL, for statements that write to the table: what happens if the key exists already. */
export const KEEP_FIRST_USE = `on conflict (holder, key) do update set ${FIRST_USE}`;
