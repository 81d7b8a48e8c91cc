import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { KEEP_FIRST_USE } from '../idempotency/first-key-use.js';
import { orderingLock } from '../sql/advisory-locks.js';
import type { Parameter, Statement, Value } from '../sql/sql-executor.js';
import { Column, quoted, type TableMetadata } from './column.js';
import type { DeclaredTable, Identified } from './declare-table.js';

/** The statements about a declared table. "Values of the columns" are those of all columns but the id, in their order. */
export interface TableStatements {
  /** Reads rows by their ids. `$1`: ids. Rows: id, JSON. */
  readonly find: Statement;
  /**
   * Reads pages. `$1`: ids after which the pages begin, `$2`: sizes, `$3`: whether the page of snapshot `$4` is cached, `$5`…:
   * values of the filters or null. Rows: position, snapshot, JSON of the rows separated by {@link ROW_SEPARATOR}, or null if the
   * page is cached. All combinations of filters share one statement, and each uses an index.
   */
  readonly pages: Statement;
  /**
   * Adds rows in one commit. `$1`…: values of the columns. Rows: ids, in the order of the input.
   */
  readonly add: Statement;
  /**
   * Adds rows under idempotency keys in one commit. Each key may occur once in the input. `$1`: holders, `$2`: keys,
   * `$3`: fingerprints, `$4`…: values of the columns. Rows, in the order of the input: the fingerprint of the first use of the
   * key, the id of the row that was added then, whether this statement added it.
   */
  readonly addOnce: Statement;
  /** Reads a row for the domain. `$1`: its id. Columns: all, as text. */
  readonly load: Statement;
  /** As {@link load}, and locks the row until the end of the transaction. */
  readonly loadForUpdate: Statement;
  /** Changes a row. `$1`: its id, `$2`…: values of the columns. Rows: one if the id exists. */
  readonly save: Statement;
  /** Removes a row. `$1`: its id. Rows: one if the id existed. */
  readonly remove: Statement;
}

/** A declared table with the columns of its mapping. */
interface TableParts {
  readonly name: string;
  /** All columns; the first is the column of the id. */
  readonly columns: readonly [Column, ...Column[]];
  /** The columns that clients see, in their order; the first is the column of the id. */
  readonly shown: readonly Column[];
  readonly filters: readonly Column[];
  readonly newestFirst: boolean;
  readonly lock: number | undefined;
}

/** The values of a row without its id, in the order of the columns. */
export type RowValues = readonly Value[];

/** The statements of a declared table, and the conversion of its rows to parameters and from results. */
export class TableSql<
  Entity extends Identified = Identified,
  New extends object = object,
  Filter extends object = object,
> {
  readonly statements: TableStatements;
  private readonly parts: TableParts;
  private readonly values: readonly Column[];
  private readonly Row: new () => Entity;

  /** @throws Error if a declared table cannot have this mapping */
  constructor(declared: DeclaredTable<Entity, New, Filter>, metadata: TableMetadata) {
    this.parts = partsOf(declared, metadata);
    this.statements = tableStatements(this.parts);
    const { columns } = this.parts;
    this.values = columns.slice(1);
    const fields = columns.map(({ name }) => name);
    this.Row = rowsOf(declared.entity.prototype, fields, declared.hasToJson);
  }

  /** The `afterId` of the first page. */
  get firstPage(): bigint {
    return this.parts.newestFirst ? INT64_MAX : INT64_MIN;
  }

  /** The values of the filters in a query; null for a filter that is not used. */
  filtersOf(query: Filter): readonly Value[] {
    return this.parts.filters.map((filter) => encoded(filter, query[filter.name as keyof Filter]));
  }

  /** The values of a row without its id. */
  valuesOf(row: New): RowValues {
    return this.values.map((column) => encoded(column, row[column.name as keyof New]));
  }

  /** Makes an object of these values and an id without calling its constructor, as MikroORM does. */
  entityOf(id: bigint, row: New): Entity {
    const entity = new this.Row();
    entity['id' as keyof Entity] = id as never;
    for (const { name } of this.values) entity[name as keyof Entity] = row[name as keyof New] as never;
    return entity;
  }

  /** Makes an object of a row that a `load…` statement read. */
  loaded(row: readonly unknown[]): Entity {
    const entity = new this.Row();
    this.parts.columns.forEach((column, index) => {
      entity[column.name as keyof Entity] = column.decode(row[index]) as never;
    });
    return entity;
  }
}

/** @throws Error if a declared table cannot have this mapping */
function partsOf(declared: DeclaredTable<Identified, object, object>, metadata: TableMetadata): TableParts {
  const { tableName: name, props } = metadata;
  const [id, ...values] = props
    .filter(({ persist }) => persist !== false)
    .toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))
    .map((property) => new Column(name, property));
  if (id?.name !== 'id') throw new Error(`The table ${name} can't be declared: its primary key must be id`);
  const columnsOfFields = (fields: readonly string[]) =>
    fields.map((field) => {
      const column = [id, ...values].find((one) => one.name === field);
      if (column === undefined) throw new Error(`A declared table has no column for the field ${field}`);
      return column;
    });
  return {
    name,
    columns: [id, ...values],
    shown: columnsOfFields(declared.shown),
    filters: columnsOfFields(declared.filters),
    newestFirst: declared.newestFirst,
    lock: declared.lock,
  };
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

function tableStatements(parts: TableParts): TableStatements {
  const { name, columns } = parts;
  const [id, ...values] = columns;
  const table = quoted(name);
  // Names of their own: PostgreSQL gives two columns that are written by `to_char` one name.
  const all = columns.map(({ text }, index) => `${text} as text_${index}`).join(', ');
  const load = `select ${all} from ${table} where`;
  const changes = values.map((column, at) => `${column.sql} = ${column.cast(`$${at + 2}::${column.parameter}`)}`);
  return {
    find: named(
      `find_${name}`,
      `select ${id.sql}, ${rowJson(parts)} from ${table} where ${id.sql} = any($1::bigint[])`,
    ),
    pages: named(`find_${name}_pages`, findPagesSql(parts)),
    add: named(`add_${name}`, addSql(parts)),
    addOnce: named(`add_${name}_once`, addOnceSql(parts)),
    load: named(`load_${name}`, `${load} ${id.sql} = $1::bigint`),
    loadForUpdate: named(`load_${name}_for_update`, `${load} ${id.sql} = $1::bigint for update`),
    save: named(`save_${name}`, `update ${table} set ${changes.join(', ')} where ${id.sql} = $1::bigint returning 1`),
    remove: named(`remove_${name}`, `delete from ${table} where ${id.sql} = $1::bigint returning 1`),
  };
}

/** The length to which PostgreSQL cuts names, in bytes. */
const MAX_NAME = 63;

/** @throws Error if PostgreSQL would cut the name, and so could take two statements for one */
function named(name: string, text: string): Statement {
  if (name.length > MAX_NAME)
    throw new Error(`The statement ${name} needs a shorter name: at most ${MAX_NAME} characters`);
  return { name, text };
}

/** All subsets, each in the order of the elements; the first is empty. */
function subsetsOf<Element>(elements: readonly Element[]): Element[][] {
  const subsets = Array.from({ length: 2 ** elements.length }, (_, index) => index);
  return subsets.map((index) => elements.filter((_element, at) => (index & (1 << at)) !== 0));
}

/** The character between two rows of a page. It is never part of JSON, which escapes it. */
export const ROW_SEPARATOR = '\x1e';

/**
 * SQL: identifies the state of the data that a statement sees. Two statements in the same snapshot see the same rows, because
 * they see the same committed transactions. The start time of the server is part of it: a standby that was promoted may reach
 * the same numbers with other transactions. A standby has no snapshot here, because its snapshots do not include all running
 * transactions.
 */
const SNAPSHOT = `case when pg_is_in_recovery() then null
  else pg_current_snapshot()::text || '/' || extract(epoch from pg_postmaster_start_time())::text end`;

/** SQL of {@link TableStatements.pages}. The combinations with more filters come first, as the others hold for them too. */
function findPagesSql(parts: TableParts): string {
  const { filters } = parts;
  const wanted = filters.map((_filter, at) => `filter_${at}`);
  const [all = [], ...filtered] = subsetsOf(wanted);
  const pageOf = (given: readonly string[]) => {
    const columns = filters.filter((_filter, at) => given.includes(`filter_${at}`));
    return `(${onePage(parts, columns, given)})`;
  };
  const cases = filtered
    .toSorted((one, other) => other.length - one.length)
    .map((given) => `when ${given.map((name) => `wanted.${name} is not null`).join(' and ')} then ${pageOf(given)}`);
  return `
    with now as materialized (select ${SNAPSHOT} as snapshot)
    select wanted.position, now.snapshot,
      case
        when wanted.kept and now.snapshot = $4::text then null
        ${[...cases, `else ${pageOf(all)}`].join('\n        ')}
      end
    from now, unnest(${['$1::bigint[]', '$2::integer[]', '$3::boolean[]', parameters(filters, 5)].filter(Boolean).join(', ')})
      with ordinality as wanted (${['after_id', 'size', 'kept', ...wanted, 'position'].join(', ')})`;
}

/** One page: PostgreSQL walks an index in the order of the page and stops at the limit. */
function onePage(parts: TableParts, given: readonly Column[], names: readonly string[]): string {
  const order = pageOrder(parts, given);
  const values = names.map((name) => `wanted.${name}`);
  return `
    select string_agg(json, e'\\x1e' order by ${order})
    from (
      select ${orderColumns(parts, given).join(', ')}, ${rowJson(parts)} as json from ${quoted(parts.name)}
      where ${pageCondition(parts, given, values, 'wanted.after_id')} order by ${order} limit wanted.size
    ) as page`;
}

/**
 * The columns of the order: the last of the given filters, and the id. PostgreSQL then walks an index that has these columns at
 * its end; all rows of the page have the same value in the first.
 */
function orderColumns({ columns: [id] }: TableParts, given: readonly Column[]): string[] {
  return [...given.slice(-1), id].map(({ sql }) => sql);
}

function pageOrder(parts: TableParts, given: readonly Column[]): string {
  return orderColumns(parts, given)
    .map((column) => (parts.newestFirst ? `${column} desc` : column))
    .join(', ');
}

/**
 * SQL: the rows of these filters after an id. The last filter is a range of one value: with `=` PostgreSQL would drop its column
 * from the order, and might then walk another index and discard the rows that do not match.
 */
function pageCondition(
  parts: TableParts,
  given: readonly Column[],
  values: readonly string[],
  afterId: string,
): string {
  const conditions = given.map((column, at) => {
    const value = column.cast(values[at] ?? '');
    return at === given.length - 1 ? `${column.sql} between ${value} and ${value}` : `${column.sql} = ${value}`;
  });
  return [...conditions, `${parts.columns[0].sql} ${parts.newestFirst ? '<' : '>'} ${afterId}`].join(' and ');
}

/** SQL: a row as JSON text, without members that have no value. The same bytes as `JSON.stringify` writes for an object. */
function rowJson({ shown }: TableParts): string {
  const members = shown.map((column, index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`.replaceAll("'", "''");
    const member = `'${label}' || ${column.json}`;
    return column.nullable ? `coalesce(${member}, '')` : member;
  });
  return `${members.join(' || ')} || '}'`.replaceAll(`' || '`, '');
}

/** SQL of {@link TableStatements.add}. The lock is taken before the rows are read, so before the first id is assigned. */
function addSql({ name, columns: [id, ...values], lock }: TableParts): string {
  const table = quoted(name);
  return `
    with turn as materialized (select ${orderingLock(table, lock)})
    insert into ${table} (${values.map(({ sql }) => sql).join(', ')})
    select ${castAll(values)}
    from turn, unnest(${parameters(values, 1)}) with ordinality as added (${aliases(values)}, position)
    order by added.position
    returning ${id.sql}`;
}

/**
 * SQL of {@link TableStatements.addOnce}. The lock is taken before the first id, as in {@link addSql}. A statement that waited for
 * the lock does not see rows that were committed meanwhile, but an update on conflict does. So the row of a used key is read by an
 * update, and the statement sees it even if another statement has just written it (ADR 0011).
 */
function addOnceSql({ name, columns: [id, ...values], lock }: TableParts): string {
  const table = quoted(name);
  const own = aliases(values);
  return `
    with turn as materialized (select ${orderingLock(table, lock)}),
    asked as materialized (
      select nextval(pg_get_serial_sequence('${table}', '${id.field}')) as new_id, added.*
      from turn, unnest($1::text[], $2::text[], $3::text[], ${parameters(values, 4)})
        with ordinality as added (holder, key, fingerprint, ${own}, position)
    ),
    kept as (
      insert into idempotency_keys as used (holder, key, fingerprint, result_id)
      select holder, key, fingerprint, new_id from asked
      ${KEEP_FIRST_USE}
      returning holder, key, fingerprint, result_id
    ),
    outcome as (
      select asked.*, kept.fingerprint as used_for, kept.result_id, kept.result_id = asked.new_id as is_new
      from asked join kept on kept.holder = asked.holder and kept.key = asked.key
    ),
    stored as (
      insert into ${table} (${[id, ...values].map(({ sql }) => sql).join(', ')})
      select new_id, ${castAll(values, 'outcome')} from outcome where is_new
    )
    select used_for, result_id, is_new from outcome order by position`;
}

/** New names for the columns, which could have the names of other columns in these statements. */
function aliases(columns: readonly Column[]): string {
  return columns.map((_column, index) => `value_${index}`).join(', ');
}

function parameters(columns: readonly Column[], first: number): string {
  return columns.map(({ parameter }, index) => `$${first + index}::${parameter}[]`).join(', ');
}

function castAll(columns: readonly Column[], from = 'added'): string {
  return columns.map((column, index) => column.cast(`${from}.value_${index}`)).join(', ');
}
