import { IdempotencyKeyReusedError, type IdempotencyKey } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { toBigInt, toBoolean, type Statement, type SqlExecutor } from '../sql/sql-executor.js';
import { columnsOf, type RowValues } from './table-sql.js';

/** A row to add under an idempotency key. */
export interface KeyedRow {
  readonly row: RowValues;
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

/** The result for a {@link KeyedRow}. */
export interface KeyedAddition {
  readonly id: bigint;
  /** Whether an earlier call with the same key added the row. */
  readonly replayed: boolean;
}

/** The first use of a key. */
interface Use {
  readonly fingerprint: string;
  /** The id of the row that was added. */
  readonly id: bigint;
  /** Whether this statement added the row. */
  readonly isNew: boolean;
}

/** Adds rows under idempotency keys. Waiting calls share a statement and its commit (ADR 0011). */
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
   * Resolves when the row and the use of its key are durable.
   *
   * @throws IdempotencyKeyReusedError
   */
  async submit(call: KeyedRow): Promise<KeyedAddition> {
    return accepted(await this.batcher.submit(call));
  }

  /** Adds one row alone, by this executor. @throws IdempotencyKeyReusedError */
  async run(executor: SqlExecutor, call: KeyedRow): Promise<KeyedAddition> {
    const [addition] = await this.add(executor, [call]);
    return accepted(addition);
  }

  /** @returns `undefined` for each call whose key was used for another row */
  private async add(executor: SqlExecutor, calls: readonly KeyedRow[]): Promise<(KeyedAddition | undefined)[]> {
    // A statement can use a key once. Of the calls with the same key the first is sent; the others get its result.
    const firstCalls = new Map<string, KeyedRow>();
    for (const call of calls) if (!firstCalls.has(nameOf(call))) firstCalls.set(nameOf(call), call);
    const used = await this.use(executor, [...firstCalls.values()]);
    const uses = new Map([...firstCalls.keys()].map((name, index) => [name, used[index]]));

    return calls.map((call) => {
      const use = uses.get(nameOf(call));
      if (use === undefined) throw new Error('The database did not answer for an idempotency key');
      if (use.fingerprint !== call.fingerprint) return undefined;
      return { id: use.id, replayed: !use.isNew || firstCalls.get(nameOf(call)) !== call };
    });
  }

  /** @param calls calls with different keys */
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
