import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import type { Parameter, Value } from '../sql/sql-executor.js';
import { Column, type TableMetadata } from './column.js';
import type { DeclaredTable, Identified, StatementNames } from './declare-table.js';
import { tableStatements, type TableStatements } from './table.statements.js';

/** The values of a row without its id, in the order of the columns. */
export type RowValues = readonly Value[];

/** The statements of a declared table, and the conversion of its rows to parameters and from results. */
export class TableSql<
  Entity extends Identified = Identified,
  New extends object = object,
  Filter extends object = object,
> {
  readonly names: StatementNames;
  /** The `afterId` of the first page. */
  readonly firstPage: bigint;
  readonly statements: TableStatements;
  private readonly columns: readonly [Column, ...Column[]];
  private readonly filters: readonly Column[];
  private readonly others: readonly Column[];
  private readonly Row: new () => Entity;

  /** @throws Error if a declared table cannot have this mapping */
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
    this.filters = declared.filters.map((name) => this.columnOf(name));
    this.names = {
      find: `find_${tableName}`,
      pages: `find_${tableName}_pages`,
      add: `add_${tableName}`,
      addOnce: `add_${tableName}_once`,
      ...declared.statements,
    };
    this.firstPage = declared.newestFirst ? INT64_MAX : INT64_MIN;
    this.statements = tableStatements({
      name: tableName,
      columns: this.columns,
      shown: declared.shown.map((name) => this.columnOf(name)),
      filters: this.filters,
      newestFirst: declared.newestFirst,
      names: this.names,
      lock: declared.lock,
    });
  }

  /** The values of the filters in a query; null for a filter that is not used. */
  filtersOf(query: Filter): readonly Value[] {
    return this.filters.map((filter) => encoded(filter, query[filter.name as keyof Filter]));
  }

  /** The values of a row without its id. */
  valuesOf(row: New): RowValues {
    return this.others.map((column) => encoded(column, row[column.name as keyof New]));
  }

  /** Makes an object of these values and an id without calling its constructor, as MikroORM does. */
  entityOf(id: bigint, row: New): Entity {
    const entity = new this.Row();
    entity['id' as keyof Entity] = id as never;
    for (const { name } of this.others) entity[name as keyof Entity] = row[name as keyof New] as never;
    return entity;
  }

  /** Makes an object of a row that a `load…` statement read. */
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

/** Converts rows to the parameters of a statement: one array for each column. */
export function columnsOf(rows: readonly RowValues[]): Parameter[] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? null));
}

/**
 * Makes a class whose objects have the prototype of an entity and the fields as own properties, without calling the constructor
 * of the entity. MikroORM puts setters for the fields on the prototype of a mapped class, and each setter changes the shape of
 * the object. It also puts a `toJSON` there, which takes longer than everything else that is done to place an order. These
 * objects do not belong to MikroORM, so they need neither.
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
