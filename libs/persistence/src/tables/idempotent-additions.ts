import { IdempotencyKeyReusedError, type IdempotencyKey } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { toBigInt, toBoolean, type Statement, type SqlExecutor } from '../sql-executor.js';
import { columnsOf, type RowValues } from './table-sql.js';

/** A row that is to be added under a key. */
export interface KeyedRow {
  readonly row: RowValues;
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

/** What became of a {@link KeyedRow}. */
export interface KeyedAddition {
  readonly id: bigint;
  /** It had been added before, by an earlier call with the same key. */
  readonly replayed: boolean;
}

/** What a key was used for. */
interface Use {
  readonly fingerprint: string;
  /** Of the row that was added. */
  readonly id: bigint;
  /** It was added by the statement that tells. */
  readonly isNew: boolean;
}

/** Adds rows under idempotency keys, those that wait together in one statement and one commit (ADR 0011). */
export class IdempotentAdditions {
  readonly batcher: Batcher<KeyedRow, KeyedAddition | undefined>;

  constructor(
    private readonly statement: Statement,
    executor: SqlExecutor,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: true, run: (calls) => this.add(executor, calls) });
  }

  /**
   * Resolves when the row is durable, and that it was added with it.
   *
   * @throws IdempotencyKeyReusedError
   */
  async submit(call: KeyedRow): Promise<KeyedAddition> {
    return accepted(await this.batcher.submit(call));
  }

  /** Adds it by these statements, and alone. @throws IdempotencyKeyReusedError */
  async run(executor: SqlExecutor, call: KeyedRow): Promise<KeyedAddition> {
    const [addition] = await this.add(executor, [call]);
    return accepted(addition);
  }

  /** @returns `undefined` in the place of each call whose key means another row */
  private async add(executor: SqlExecutor, calls: readonly KeyedRow[]): Promise<(KeyedAddition | undefined)[]> {
    // One statement can use a key once: the first call that brings it asks, and the others are told what came of it.
    const askers = new Map<string, KeyedRow>();
    for (const call of calls) if (!askers.has(nameOf(call))) askers.set(nameOf(call), call);
    const used = await this.use(executor, [...askers.values()]);
    const uses = new Map([...askers.keys()].map((name, index) => [name, used[index]]));

    return calls.map((call) => {
      const use = uses.get(nameOf(call));
      if (use === undefined) throw new Error('The database did not answer for an idempotency key');
      if (use.fingerprint !== call.fingerprint) return undefined;
      return { id: use.id, replayed: !use.isNew || askers.get(nameOf(call)) !== call };
    });
  }

  /** @param calls each with a key of its own */
  private async use(executor: SqlExecutor, calls: readonly KeyedRow[]): Promise<Use[]> {
    const rows = await executor.run(this.statement, [
      calls.map(({ key }) => key.holder),
      calls.map(({ key }) => key.key),
      calls.map(({ fingerprint }) => fingerprint),
      ...columnsOf(calls.map(({ row }) => row)),
    ]);
    return rows.map(([fingerprint, id, isNew]) => ({
      fingerprint: fingerprint as string,
      id: toBigInt(id),
      isNew: toBoolean(isNew),
    }));
  }
}

function accepted(addition: KeyedAddition | undefined): KeyedAddition {
  if (addition === undefined) throw new IdempotencyKeyReusedError();
  return addition;
}

function nameOf({ key: { holder, key } }: KeyedRow): string {
  return JSON.stringify([holder, key]);
}
