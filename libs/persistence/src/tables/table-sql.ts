import type { Parameter, Value } from '../sql-executor.js';
import { Column, type ColumnMetadata } from './column.js';
import type { DeclaredTable, Identified, StatementNames } from './declare-table.js';
import { statementNames, tableStatements, type TableStatements } from './table.statements.js';

/** What of MikroORM's metadata of an entity matters here. */
export interface TableMetadata {
  readonly tableName: string;
  readonly props: readonly (ColumnMetadata & { readonly primary?: boolean; readonly persist?: boolean })[];
}

/** The values of a row but for its id, in the order of the columns. */
export type RowValues = readonly Value[];

/** A declared table in SQL, and its rows as the values that go there and come from there. */
export class TableSql<
  Entity extends Identified = Identified,
  New extends object = object,
  Filter extends object = object,
> {
  readonly names: StatementNames;
  readonly statements: TableStatements;
  private readonly columns: readonly [Column, ...Column[]];
  private readonly filter: Column | undefined;
  private readonly others: readonly Column[];
  private readonly Row: new () => Entity;

  /** @throws Error where the mapping has what a declared table can't have */
  constructor(declared: DeclaredTable<Entity, New, Filter>, { tableName, props }: TableMetadata) {
    const [id, ...others] = props
      .filter(({ persist }) => persist !== false)
      .toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))
      .map((property) => new Column(tableName, property));
    if (id?.name !== 'id') throw new Error(`The table ${tableName} can't be declared: its primary key must be id`);
    this.columns = [id, ...others];
    this.others = others;
    this.Row = rowsOf(
      declared.entity.prototype,
      this.columns.map(({ name }) => name),
      declared.hasToJson,
    );
    this.filter = declared.filter === undefined ? undefined : this.columnOf(declared.filter);
    this.names = { ...statementNames(tableName), ...declared.statements };
    this.statements = tableStatements({
      name: tableName,
      columns: this.columns,
      shown: declared.shown.map((name) => this.columnOf(name)),
      filter: this.filter,
      names: this.names,
    });
  }

  /** Of a query: null where it filters nothing. */
  filterOf(query: Filter): Value {
    return this.filter === undefined ? null : encoded(this.filter, query[this.filter.name as keyof Filter]);
  }

  /** What a row holds beside its id. */
  valuesOf(row: New): RowValues {
    return this.others.map((column) => encoded(column, row[column.name as keyof New]));
  }

  /** The object that these values make with an id: as MikroORM makes one from a row, without its constructor. */
  entityOf(id: bigint, row: New): Entity {
    const entity = new this.Row();
    entity['id' as keyof Entity] = id as never;
    for (const { name } of this.others) entity[name as keyof Entity] = row[name as keyof New] as never;
    return entity;
  }

  /** The object of a row that `load` and the like have read. */
  loaded(row: readonly unknown[]): Entity {
    const entity = new this.Row();
    this.columns.forEach((column, index) => {
      entity[column.name as keyof Entity] = column.decode(row[index]) as never;
    });
    return entity;
  }

  private columnOf(name: string): Column {
    const column = this.columns.find((one) => one.name === name);
    if (column === undefined) throw new Error(`A declared table has no column for the field ${name}`);
    return column;
  }
}

function encoded({ encode }: Column, value: unknown): Value {
  return value === undefined || value === null ? null : encode(value);
}

/** Rows as the arrays that a statement takes: one of each column. */
export function columnsOf(rows: readonly RowValues[]): Parameter[] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? null));
}

/**
 * Makes objects of a class without its constructor, with the fields as their own. To assign them would call the setters that
 * MikroORM puts on the prototype of a mapped class, of which each changes the object's shape. The same holds for the `toJSON`
 * that it puts there: it takes longer than all else that is done to place an order. These objects are not its own.
 */
function rowsOf<Entity extends object>(
  prototype: Entity,
  fields: readonly string[],
  hasToJson: boolean,
): new () => Entity {
  const parent = hasToJson ? prototype : (Object.create(prototype, { toJSON: { value: undefined } }) as object);
  function Bare(): object {
    return Object.create(parent) as object;
  }
  let Row = Bare as unknown as new () => object;
  for (const field of fields) {
    Row = class extends Row {
      [field]: unknown = undefined;
    };
  }
  return Row as new () => Entity;
}
