import {
  OutsideUnitOfWorkError,
  type AddOnceResult,
  type IdempotencyKey,
  IdempotencyKeyReusedError,
} from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import { contentHash } from '../idempotency/first-use.js';
import { toBigInt, toBoolean, type Parameter, type SqlExecutor, type Statement } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import type { Identified } from './declare-table.js';
import { columnsOf, type RowValues, type TableSql } from './table-sql.js';

/**
 * Reads and writes the rows of a declared table as objects of the domain, for the repository of a module. Inside a transaction
 * every method takes part in it, with its own statement. Outside, waiting additions share a statement and its commit.
 */
export class Table<Entity extends Identified, New extends object> {
  readonly additions: Batcher<RowValues, bigint>;
  readonly keyedAdditions: Batcher<KeyedRow, KeyedAddition>;

  constructor(
    private readonly sql: TableSql<Entity, New>,
    private readonly executor: SqlExecutor,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
    limits: BatchingLimits,
  ) {
    this.additions = new Batcher({ ...limits, writes: true, run: (rows) => this.addRows(executor, rows) });
    this.keyedAdditions = new Batcher({ ...limits, writes: true, run: (rows) => this.addKeyedRows(executor, rows) });
  }

  /**
   * Stores a row under a new id. Ids become visible in ascending order. So an addition inside a transaction blocks all other
   * additions to the table until the end of the transaction: make it the last step of the transaction.
   */
  add(row: New): Promise<Entity> {
    const values = this.sql.valuesOf(row);
    const { statements } = this.transaction;
    if (statements === undefined) return this.additions.submit(values).then((id) => this.sql.entityOf(id, row));
    return onDatabase(() => this.addRows(statements, [values])).then(([id = 0n]) => this.sql.entityOf(id, row));
  }

  /**
   * As {@link add}, but all calls with one key add one row. The use of the key is stored with the row.
   *
   * @param content the content of the request, with the name of the operation
   * @throws IdempotencyKeyReusedError when the key was used for other content
   */
  async addOnce(row: New, key: IdempotencyKey, content: string): Promise<AddOnceResult<Entity>> {
    const keyed = { values: this.sql.valuesOf(row), key, hash: contentHash(content) };
    const { id, replayed } = await this.addKeyed(keyed);
    // The request contains all fields of the row, so only the id is stored under the key.
    return { added: this.sql.entityOf(id, row), replayed };
  }

  async findById(id: bigint): Promise<Entity | undefined> {
    return await this.load(this.sql.statements.load, id);
  }

  /**
   * As {@link findById}, and locks the row until the end of the transaction.
   *
   * @throws OutsideUnitOfWorkError outside of a transaction
   */
  async findForUpdate(id: bigint): Promise<Entity | undefined> {
    if (this.transaction.statements === undefined) throw new OutsideUnitOfWorkError('findForUpdate');
    return await this.load(this.sql.statements.loadForUpdate, id);
  }

  /** Stores all fields of an existing row. @returns false if no row has its id */
  async save(row: Entity & New): Promise<boolean> {
    return await this.change(this.sql.statements.save, [String(row.id), ...this.sql.valuesOf(row)]);
  }

  /** @returns false if no row has this id */
  async remove(id: bigint): Promise<boolean> {
    return await this.change(this.sql.statements.remove, [String(id)]);
  }

  private async load(statement: Statement, id: bigint): Promise<Entity | undefined> {
    const [row] = await onDatabase(() => this.statements.run(statement, [String(id)]));
    return row && this.sql.loaded(row);
  }

  /** @returns whether the row exists */
  private async change(statement: Statement, values: readonly Parameter[]): Promise<boolean> {
    // Outside of a transaction the statement commits itself. If its connection is lost, its outcome is unknown.
    const writes = this.transaction.statements === undefined;
    return (await onDatabase(() => this.statements.run(statement, values), { writes })).length > 0;
  }

  private get statements(): SqlExecutor {
    return this.transaction.statements ?? this.executor;
  }

  /** @returns the ids, in the order of the rows */
  private async addRows(executor: SqlExecutor, rows: readonly RowValues[]): Promise<bigint[]> {
    const ids = await executor.run(this.sql.statements.add, columnsOf(rows));
    return ids.map(([id]) => toBigInt(id));
  }

  /** @throws IdempotencyKeyReusedError */
  private async addKeyed(keyed: KeyedRow): Promise<NonNullable<KeyedAddition>> {
    const { statements } = this.transaction;
    const addition =
      statements === undefined
        ? await this.keyedAdditions.submit(keyed)
        : (await onDatabase(() => this.addKeyedRows(statements, [keyed])))[0];
    if (addition === undefined) throw new IdempotencyKeyReusedError();
    return addition;
  }

  /** Resolves when the rows and the uses of their keys are durable (ADR 0011). */
  private async addKeyedRows(executor: SqlExecutor, rows: readonly KeyedRow[]): Promise<KeyedAddition[]> {
    // A statement can use a key once. Of the rows with the same key the first is sent; the others get its result.
    const places = new Map<string, number>();
    const sent: KeyedRow[] = [];
    for (const row of rows) {
      if (places.has(nameOf(row))) continue;
      places.set(nameOf(row), sent.length);
      sent.push(row);
    }
    const uses = await executor.run(this.sql.statements.addOnce, [
      sent.map(({ key }) => key.holder),
      sent.map(({ key }) => key.key),
      sent.map(({ hash }) => hash),
      ...columnsOf(sent.map(({ values }) => values)),
    ]);
    return rows.map((row) => {
      const place = places.get(nameOf(row)) ?? 0;
      const [hash, id, isNew] = uses[place] ?? [];
      return hash === row.hash ? { id: toBigInt(id), replayed: !toBoolean(isNew) || sent[place] !== row } : undefined;
    });
  }
}

/** A row to add under an idempotency key. */
interface KeyedRow {
  readonly values: RowValues;
  readonly key: IdempotencyKey;
  /** `contentHash` of the request. */
  readonly hash: string;
}

/** The id of the row, and whether an earlier call with the same key added it; `undefined` if that call had other content. */
type KeyedAddition = { readonly id: bigint; readonly replayed: boolean } | undefined;

/** A text for a key of a holder: no text of PostgreSQL contains NUL. */
function nameOf({ key: { holder, key } }: KeyedRow): string {
  return `${holder}\0${key}`;
}
