import { hash } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import {
  Idempotency,
  IDEMPOTENCY_KEY_HOURS,
  IdempotencyKeyReusedError,
  UnitOfWork,
  type IdempotencyKey,
  type Outcome,
} from '@animal-store/kernel';
import { CurrentTransaction } from '../transactions/mikro-orm-unit-of-work.js';

/**
 * The uses of keys, each written in the same commit as the effects of its request: only its own transaction sees a use without
 * an outcome. `outcome_id` is the id of what the request created, and `outcome_text` the body of its response, if it cannot be
 * derived from the request and the id. The index is for the sweep.
 */
export const UsedIdempotencyKey = defineEntity({
  name: 'UsedIdempotencyKey',
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

/** The SHA-256 of the content of a request, as 64 hexadecimal digits. */
export function contentHash(content: string): string {
  return hash('sha256', content, 'hex');
}

/** SQL: the age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/**
 * SQL: stores keys, each at most once, and returns `holder`, `key`, `content_hash`, `outcome_id` and `outcome_text` of their
 * first uses (ADR 0011). An expired key counts as unused. The row of a used key is updated without a change: a statement that
 * waited for another transaction does not see what that has committed, but its update on conflict does.
 *
 * @param uses SQL that gives holders, keys, hashes of contents, and ids of outcomes if these are known
 */
export function firstUses(uses: string): string {
  const kept = ['content_hash', 'outcome_id', 'outcome_text', 'created_at'].map(
    (column) =>
      `${column} = case when first.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then first.${column} else excluded.${column} end`,
  );
  return `
    insert into idempotency_keys as first (holder, key, content_hash, outcome_id) ${uses}
    on conflict (holder, key) do update set ${kept.join(', ')}
    returning holder, key, content_hash, outcome_id, outcome_text`;
}

/** Claims a key for the transaction. If another transaction has claimed it, the statement waits for that transaction. */
const CLAIM_IDEMPOTENCY_KEY = `
  with used as (${firstUses('values (?::text, ?::text, ?::text, null::bigint)')})
  select content_hash as hash, outcome_id as id, outcome_text as text from used`;

/** The hash of the content for which a key was first used, and what came of it: nothing yet for a new key. */
type FirstUse = Readonly<{ hash: string; id: string | null; text: string | null }>;

/** Stores the outcome of a request under its key, in the transaction of the request. */
@Injectable()
export class MikroOrmIdempotency extends Idempotency {
  constructor(
    private readonly units: UnitOfWork,
    private readonly current: CurrentTransaction,
  ) {
    super();
  }

  override once(key: IdempotencyKey | undefined, content: string, work: () => Promise<Outcome>) {
    return this.units.run(async () => {
      const replayed = key && (await this.claim(key, contentHash(content)));
      if (replayed !== undefined) return { ...replayed, replayed: true };
      const { id, text } = await work();
      const { entityManager } = this.current;
      const outcome = { outcomeId: id, outcomeText: text };
      if (key !== undefined) await entityManager.nativeUpdate(UsedIdempotencyKey, { ...key }, outcome);
      return { id, text, replayed: false };
    });
  }

  /** Comes before the work, so that a second request waits here, where it holds no other locks. @returns the earlier outcome */
  private async claim({ holder, key }: IdempotencyKey, hash: string): Promise<Outcome | undefined> {
    const [use] = await this.current.entityManager.execute<[FirstUse]>(CLAIM_IDEMPOTENCY_KEY, [holder, key, hash]);
    // An addition of a pet has stored an id and no text, for content of its own.
    if (use.hash !== hash || (use.id !== null && use.text === null)) throw new IdempotencyKeyReusedError();
    return use.id === null || use.text === null ? undefined : { id: BigInt(use.id), text: use.text };
  }
}
