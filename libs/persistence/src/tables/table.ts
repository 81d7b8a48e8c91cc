import {
  OutsideUnitOfWorkError,
  type AddOnceResult,
  type IdempotencyKey,
  IdempotencyKeyReusedError,
} from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import { fingerprintOf, IdempotencyKeyUses } from '../idempotency/first-key-use.js';
import {
  type Parameter,
  type Row,
  type Statement,
  type SqlExecutor,
  toBigInt,
  toBoolean,
} from '../sql/sql-executor.js';
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
  readonly keyUses = new IdempotencyKeyUses();

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
    const { id, replayed } = await this.keyUses.count(
      this.addKeyed({ row: this.sql.valuesOf(row), key, fingerprint: fingerprintOf(content) }),
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

  /** Stores all fields of an existing row. @returns false if no row has its id */
  async save(row: Entity & New): Promise<boolean> {
    return await this.change(this.sql.statements.save, [String(row.id), ...this.sql.valuesOf(row)]);
  }

  /** @returns false if no row has this id */
  async remove(id: bigint): Promise<boolean> {
    return await this.change(this.sql.statements.remove, [String(id)]);
  }

  /** @returns whether the row exists */
  private async change(statement: Statement, values: readonly Parameter[]): Promise<boolean> {
    // Outside of a transaction the statement commits itself. If its connection is lost, its outcome is unknown.
    const writes = this.transaction.statements === undefined;
    return (await onDatabase(() => this.run(statement, values), { writes })).length > 0;
  }

  /** @returns the ids, in the order of the rows */
  private async addRows(executor: SqlExecutor, rows: readonly RowValues[]): Promise<bigint[]> {
    const ids = await executor.run(this.sql.statements.add, columnsOf(rows));
    return rows.map((_row, index) => toBigInt(ids[index]?.[0]));
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
    const sent = new Map<string, KeyedRow>();
    for (const row of rows) if (!sent.has(keyText(row))) sent.set(keyText(row), row);
    const distinct = [...sent.values()];
    const uses = await executor.run(this.sql.statements.addOnce, [
      distinct.map(({ key }) => key.holder),
      distinct.map(({ key }) => key.key),
      distinct.map(({ fingerprint }) => fingerprint),
      ...columnsOf(distinct.map(({ row }) => row)),
    ]);
    const useOf = new Map([...sent.keys()].map((name, index) => [name, uses[index]]));

    return rows.map((row) => {
      const name = keyText(row);
      const use = useOf.get(name);
      if (use === undefined) throw new Error('The database did not answer for an idempotency key');
      const [fingerprint, id, isNew] = use;
      if (fingerprint !== row.fingerprint) return undefined;
      return { id: toBigInt(id), replayed: !toBoolean(isNew) || sent.get(name) !== row };
    });
  }

  private load(statement: Statement, values: readonly Parameter[]): Promise<Entity[]> {
    return onDatabase(async () => (await this.run(statement, values)).map((row) => this.sql.loaded(row)));
  }

  private run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return (this.transaction.statements ?? this.executor).run(statement, values);
  }
}

/** A row to add under an idempotency key. */
interface KeyedRow {
  readonly row: RowValues;
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

/** The id of the row, and whether an earlier call with the same key added it; `undefined` if that call had another row. */
type KeyedAddition = { readonly id: bigint; readonly replayed: boolean } | undefined;

function keyText({ key: { holder, key } }: KeyedRow): string {
  return JSON.stringify([holder, key]);
}
