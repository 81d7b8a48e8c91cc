import {
  INT64_MIN,
  OutsideUnitOfWorkError,
  type Cancellation,
  type IdempotencyKey,
  type PageQuery,
} from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../database-errors.js';
import { fingerprintOf } from '../idempotency/fingerprint.js';
import { IdempotencyKeyUses } from '../idempotency/idempotency-key-uses.js';
import { type Parameter, type Row, type Statement, type SqlExecutor, toBigInt } from '../sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import type { Identified } from './declare-table.js';
import { IdempotentAdditions } from './idempotent-additions.js';
import { columnsOf, type RowValues, type TableSql } from './table-sql.js';

/** What {@link Table.addOnce} did. */
export interface AddOnceResult<Entity> {
  /** As it was when it was added, whatever became of it since. */
  readonly added: Entity;
  /** It had been added before, by an earlier call with the same key. */
  readonly replayed: boolean;
}

/**
 * The rows of a declared table as objects of the domain, for the repository of a module. Inside a transaction every method
 * takes part in it, alone on its connection; outside, additions that wait together share a statement and its commit.
 */
export class Table<Entity extends Identified, New extends object, Filter extends object> {
  readonly additions: Batcher<RowValues, bigint>;
  readonly idempotentAdditions: IdempotentAdditions;
  readonly keyUses = new IdempotencyKeyUses();

  constructor(
    private readonly sql: TableSql<Entity, New, Filter>,
    private readonly executor: SqlExecutor,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
    limits: BatchingLimits,
  ) {
    this.additions = new Batcher({ ...limits, writes: true, run: (rows) => this.addRows(executor, rows) });
    this.idempotentAdditions = new IdempotentAdditions(sql.statements.addOnce, executor, limits);
  }

  /**
   * Stores a row under a new id. Ids become visible in ascending order: so whoever adds inside a transaction keeps everybody
   * else who adds to the table waiting until its end. Let it be the last thing that is done there.
   */
  add(row: New, signal?: Cancellation): Promise<Entity> {
    const values = this.sql.valuesOf(row);
    const { statements } = this.transaction;
    if (statements === undefined) return this.additions.submit(values, signal).then((id) => this.sql.entityOf(id, row));
    return onDatabase(() => this.addRows(statements, [values])).then(([id = 0n]) => this.sql.entityOf(id, row));
  }

  /**
   * As {@link add}, but one row for one key, however often it is called: what it did is kept with the row.
   *
   * @param content what is asked for, the name of the operation included
   * @throws IdempotencyKeyReusedError when the key was used for other content
   */
  async addOnce(row: New, key: IdempotencyKey, content: string): Promise<AddOnceResult<Entity>> {
    const call = { row: this.sql.valuesOf(row), key, fingerprint: fingerprintOf(content) };
    const { statements } = this.transaction;
    const { id, replayed } = await this.keyUses.count(
      statements === undefined
        ? this.idempotentAdditions.submit(call)
        : onDatabase(() => this.idempotentAdditions.run(statements, call)),
    );
    // What was asked for is what was added, so the id is all that has to be kept.
    return { added: this.sql.entityOf(id, row), replayed };
  }

  async findById(id: bigint): Promise<Entity | undefined> {
    const [row] = await this.load(this.sql.statements.load, [String(id)]);
    return row;
  }

  /**
   * As {@link findById}, and until the end of the transaction nobody else finds the row so, or changes it.
   *
   * @throws OutsideUnitOfWorkError outside of a transaction
   */
  async findForUpdate(id: bigint): Promise<Entity | undefined> {
    if (this.transaction.statements === undefined) throw new OutsideUnitOfWorkError('findForUpdate');
    const [row] = await this.load(this.sql.statements.loadForUpdate, [String(id)]);
    return row;
  }

  /** In ascending order of id; fewer than `limit` only where no more exist. */
  findPage(query: PageQuery & Filter): Promise<Entity[]> {
    const { limit, afterId } = query;
    const filter = this.sql.filterOf(query);
    const { loadPage, loadFilteredPage } = this.sql.statements;
    const position = [String(afterId ?? INT64_MIN), limit];
    return filter === null ? this.load(loadPage, position) : this.load(loadFilteredPage, [...position, filter]);
  }

  /** Stores all fields of a row that was added. @returns false where no row has its id */
  async save(row: Entity & New): Promise<boolean> {
    const values = [String(row.id), ...this.sql.valuesOf(row)];
    const { save } = this.sql.statements;
    // Outside it is a transaction by itself: the connection may be lost before it is over, or after.
    const writes = this.transaction.statements === undefined;
    return (await onDatabase(() => this.run(save, values), { writes })).length > 0;
  }

  /** @returns the ids, in the order of the rows */
  private async addRows(executor: SqlExecutor, rows: readonly RowValues[]): Promise<bigint[]> {
    const ids = await executor.run(this.sql.statements.add, columnsOf(rows));
    return rows.map((_row, index) => toBigInt(ids[index]?.[0]));
  }

  private load(statement: Statement, values: readonly Parameter[]): Promise<Entity[]> {
    return onDatabase(async () => (await this.run(statement, values)).map((row) => this.sql.loaded(row)));
  }

  private run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return (this.transaction.statements ?? this.executor).run(statement, values);
  }
}
