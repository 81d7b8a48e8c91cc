import {
  INT64_MIN,
  OutsideUnitOfWorkError,
  type Cancellation,
  type IdempotencyKey,
  type PageQuery,
} from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/on-database.js';
import { fingerprintOf } from '../idempotency/fingerprint.js';
import { IdempotencyKeyUses } from '../idempotency/idempotency-key-uses.js';
import { type Parameter, type Row, type Statement, type SqlExecutor, toBigInt } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import type { Identified } from './declare-table.js';
import { IdempotentAdditions } from './idempotent-additions.js';
import { columnsOf, type RowValues, type TableSql } from './table-sql.js';

/** The result of {@link Table.addOnce}. */
export interface AddOnceResult<Entity> {
  /** The row as it was added, without later changes. */
  readonly added: Entity;
  /** Whether an earlier call with the same key added the row. */
  readonly replayed: boolean;
}

/**
 * Reads and writes the rows of a declared table as objects of the domain, for the repository of a module. Inside a transaction
 * every method takes part in it, with its own statement. Outside, waiting additions share a statement and its commit.
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
   * Stores a row under a new id. Ids become visible in ascending order. So an addition inside a transaction blocks all other
   * additions to the table until the end of the transaction: make it the last step of the transaction.
   */
  add(row: New, signal?: Cancellation): Promise<Entity> {
    const values = this.sql.valuesOf(row);
    const { statements } = this.transaction;
    if (statements === undefined) return this.additions.submit(values, signal).then((id) => this.sql.entityOf(id, row));
    return onDatabase(() => this.addRows(statements, [values])).then(([id = 0n]) => this.sql.entityOf(id, row));
  }

  /**
   * As {@link add}, but all calls with one key add one row. The use of the key is stored with the row.
   *
   * @param content the content of the request, with the name of the operation
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
    // The request contains all fields of the row, so only the id is stored under the key.
    return { added: this.sql.entityOf(id, row), replayed };
  }

  async findById(id: bigint): Promise<Entity | undefined> {
    const [row] = await this.load(this.sql.statements.load, [String(id)]);
    return row;
  }

  /**
   * As {@link findById}, and locks the row until the end of the transaction.
   *
   * @throws OutsideUnitOfWorkError outside of a transaction
   */
  async findForUpdate(id: bigint): Promise<Entity | undefined> {
    if (this.transaction.statements === undefined) throw new OutsideUnitOfWorkError('findForUpdate');
    const [row] = await this.load(this.sql.statements.loadForUpdate, [String(id)]);
    return row;
  }

  /** In ascending order of id. The last page may have fewer than `limit` rows. */
  findPage(query: PageQuery & Filter): Promise<Entity[]> {
    const { limit, afterId } = query;
    const filter = this.sql.filterOf(query);
    const { loadPage, loadFilteredPage } = this.sql.statements;
    const position = [String(afterId ?? INT64_MIN), limit];
    return filter === null ? this.load(loadPage, position) : this.load(loadFilteredPage, [...position, filter]);
  }

  /** Stores all fields of an existing row. @returns false if no row has its id */
  async save(row: Entity & New): Promise<boolean> {
    const values = [String(row.id), ...this.sql.valuesOf(row)];
    const { save } = this.sql.statements;
    // Outside of a transaction the statement commits itself. If its connection is lost, its outcome is unknown.
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
