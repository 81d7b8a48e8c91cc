import {
  Idempotency,
  IdempotencyKeyReusedError,
  type IdempotencyKey,
  type Outcome,
  type UnitOfWork,
} from '@animal-store/kernel';
import { toBigInt, type Statement } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { contentHash, firstUses } from './first-use.js';

type OutcomeOfUse = Outcome & { readonly replayed: boolean };

/** Stores the outcome of a request under its key, in the transaction of the request (ADR 0011). */
export class MikroOrmIdempotency extends Idempotency {
  constructor(
    private readonly units: UnitOfWork,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
  ) {
    super();
  }

  override once(key: IdempotencyKey | undefined, content: string, work: () => Promise<Outcome>): Promise<OutcomeOfUse> {
    if (key === undefined) return this.units.run(async () => ({ ...(await work()), replayed: false }));
    return this.units.run(() => this.onceInTransaction(key, contentHash(content), work));
  }

  private async onceInTransaction(
    { holder, key }: IdempotencyKey,
    hash: string,
    work: () => Promise<Outcome>,
  ): Promise<OutcomeOfUse> {
    const { statements } = this.transaction;
    if (statements === undefined) throw new Error('A unit of work runs without a transaction');
    // Before the work, so that a second request waits here, where it holds no other locks.
    const [[usedFor, usedId, usedText] = []] = await statements.run(CLAIM_IDEMPOTENCY_KEY, [holder, key, hash]);
    if (usedFor !== hash) throw new IdempotencyKeyReusedError();
    if (typeof usedText === 'string') return { id: toBigInt(usedId), text: usedText, replayed: true };
    // An addition to a table has stored an id and no text, for content of its own.
    if (usedId !== null) throw new IdempotencyKeyReusedError();
    const { id, text } = await work();
    await statements.run(KEEP_OUTCOME, [holder, key, String(id), text]);
    return { id, text, replayed: false };
  }
}

/**
 * Claims a key for the transaction. If another transaction has claimed it, the statement waits for that transaction. `$1`: holder,
 * `$2`: key, `$3`: hash of the content. Row: the hash of the first use, and its outcome: id, text. A new key has no outcome, which
 * no other transaction ever sees.
 */
const CLAIM_IDEMPOTENCY_KEY: Statement = {
  name: 'claim_idempotency_key',
  text: `
    with used as (${firstUses('values ($1::text, $2::text, $3::text, null::bigint)')})
    select content_hash, outcome_id, outcome_text from used`,
};

/** Stores the outcome of a request under its claimed key. `$1`: holder, `$2`: key, `$3`: id, `$4`: text. */
const KEEP_OUTCOME: Statement = {
  name: 'keep_outcome',
  text: `
    update idempotency_keys set outcome_id = $3::bigint, outcome_text = $4::text
    where holder = $1::text and key = $2::text`,
};
