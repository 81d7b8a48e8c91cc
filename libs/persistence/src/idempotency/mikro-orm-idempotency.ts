import {
  Idempotency,
  IdempotencyKeyReusedError,
  type IdempotencyKey,
  type Outcome,
  type UnitOfWork,
} from '@animal-store/kernel';
import { toBigInt, type SqlExecutor, type Statement } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { fingerprintOf, IdempotencyKeyUses, KEEP_FIRST_USE } from './first-key-use.js';

/** The first use of a key. */
interface Use {
  readonly fingerprint: string;
  /** `undefined` if this claim is the first use. */
  readonly outcome: Outcome | undefined;
}

/** Stores the outcome of a request under its key, in the transaction of the request (ADR 0011). */
export class MikroOrmIdempotency extends Idempotency {
  readonly keyUses = new IdempotencyKeyUses();

  constructor(
    private readonly units: UnitOfWork,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
  ) {
    super();
  }

  override once(
    key: IdempotencyKey | undefined,
    content: string,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { readonly replayed: boolean }> {
    if (key === undefined) return this.units.run(async () => ({ ...(await work()), replayed: false }));
    return this.keyUses.count(this.onceUnder(key, fingerprintOf(content), work));
  }

  private onceUnder(
    key: IdempotencyKey,
    fingerprint: string,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { readonly replayed: boolean }> {
    return this.units.run(async () => {
      const { statements } = this.transaction;
      if (statements === undefined) throw new Error('A unit of work runs without a transaction');
      // Before the work, so that a second request waits here, where it holds no other locks.
      const use = await claim(statements, key, fingerprint);
      if (use.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
      if (use.outcome !== undefined) return { ...use.outcome, replayed: true };
      const { id, text } = await work();
      await statements.run(KEEP_OUTCOME, [key.holder, key.key, String(id), text]);
      return { id, text, replayed: false };
    });
  }
}

async function claim(executor: SqlExecutor, { holder, key }: IdempotencyKey, fingerprint: string): Promise<Use> {
  const [row] = await executor.run(CLAIM_IDEMPOTENCY_KEY, [holder, key, fingerprint]);
  const [usedFor, resultId, text] = row as [string, unknown, string | null];
  const id = toBigInt(resultId);
  if (text !== null) return { fingerprint: usedFor, outcome: { id, text } };
  if (id === CLAIMED_ID) return { fingerprint: usedFor, outcome: undefined };
  // An addition to a table stored the key: it has an id and no text. Its content differs from that of any other operation.
  throw new IdempotencyKeyReusedError();
}

/** The id that {@link CLAIM_IDEMPOTENCY_KEY} stores while the work runs. Other transactions never see it. */
const CLAIMED_ID = 0n;

/**
 * Claims a key for the transaction. If another transaction has claimed it, the statement waits for that transaction. `$1`: holder,
 * `$2`: key, `$3`: fingerprint. Row: the fingerprint of the first use, and its outcome: id, text. A new key has the id
 * {@link CLAIMED_ID} and no text.
 */
export const CLAIM_IDEMPOTENCY_KEY: Statement = {
  name: 'claim_idempotency_key',
  text: `
    insert into idempotency_keys as used (holder, key, fingerprint, result_id)
    values ($1::text, $2::text, $3::text, ${CLAIMED_ID})
    ${KEEP_FIRST_USE}
    returning fingerprint, result_id, result_text`,
};

/** Stores the outcome of a request under its claimed key. `$1`: holder, `$2`: key, `$3`: id, `$4`: text. */
const KEEP_OUTCOME: Statement = {
  name: 'keep_outcome',
  text: `
    update idempotency_keys set result_id = $3::bigint, result_text = $4::text
    where holder = $1::text and key = $2::text`,
};
