import type { Cancellation } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { toBigInt, type Parameter, type Statement, type Statements, type Value } from '../statements.js';

/** The values of a row but for its id, in the order of the columns. */
export type RowValues = readonly Value[];

/** Adds rows whose ids become visible in ascending order, those that wait together in one statement and one commit. */
export class OrderedAdditions {
  readonly batcher: Batcher<RowValues, bigint>;

  constructor(
    private readonly statement: Statement,
    statements: Statements,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: true, run: (rows) => this.run(statements, rows) });
  }

  /** Resolves with the id when the row is durable. */
  submit(row: RowValues, signal?: Cancellation): Promise<bigint> {
    return this.batcher.submit(row, signal);
  }

  /** Adds them by these statements, and alone. @returns their ids */
  async run(statements: Statements, rows: readonly RowValues[]): Promise<bigint[]> {
    const ids = await statements.run(this.statement, columnsOf(rows));
    return rows.map((_row, index) => toBigInt(ids[index]?.[0]));
  }
}

/** Rows as the arrays that a statement takes: one of each column. */
export function columnsOf(rows: readonly RowValues[]): Parameter[] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? null));
}
