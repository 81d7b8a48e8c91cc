import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { firstUses } from '../idempotency/first-use.js';
import { orderingLock } from '../sql/advisory-locks.js';
import type { Parameter, Statement, Value } from '../sql/sql-executor.js';
import { columnOf, quoted, type Column, type ColumnMetadata } from './column.js';
import type { DeclaredTable, Identified } from './declare-table.js';

/** The part of MikroORM's metadata of an entity that is used here. */
export interface TableMetadata {
  readonly tableName: string;
  readonly props: readonly (ColumnMetadata & { readonly primary?: boolean; readonly persist?: boolean })[];
}

/** The values of a row without its id, in the order of the columns. */
export type RowValues = readonly Value[];

/** A declared table with the columns of its mapping: its statements, and the conversion of its rows. */
export class TableSql<
  Entity extends Identified = Identified,
  New extends object = object,
  Filter extends object = object,
> {
  readonly statements: ReturnType<typeof statementsOf>;
  private readonly parts: TableParts;
  private readonly columns: readonly Column[];
  private readonly prototype: object;

  /** @throws Error if a declared table cannot have this mapping */
  constructor(declared: DeclaredTable<Entity, New, Filter>, metadata: TableMetadata) {
    this.parts = partsOf(declared, metadata);
    this.columns = [this.parts.id, ...this.parts.values];
    this.statements = statementsOf(metadata.tableName, this.parts);
    this.prototype = prototypeOf(declared, this.columns);
  }

  /** The `afterId` of the first page. */
  get firstPage(): bigint {
    return this.parts.newestFirst ? INT64_MAX : INT64_MIN;
  }

  /** The values of the filters in a query; null for a filter that is not used. */
  filtersOf(query: Filter): RowValues {
    return this.parts.filters.map(({ name, encode }) => encode(query[name as keyof Filter]));
  }

  /** The values of a row without its id. */
  valuesOf(row: New): RowValues {
    return this.parts.values.map(({ name, encode }) => encode(row[name as keyof New]));
  }

  /** Makes an object of these values and an id without calling its constructor, as MikroORM does. */
  entityOf(id: bigint, row: New): Entity {
    return this.make(({ name }) => (name === 'id' ? id : row[name as keyof New]));
  }

  /** Makes an object of a row that a `load…` statement read. */
  loaded(row: readonly unknown[]): Entity {
    return this.make(({ decode }, index) => decode(row[index] as string | null));
  }

  private make(valueOf: (column: Column, index: number) => unknown): Entity {
    const entity = Object.create(this.prototype) as Record<string, unknown>;
    this.columns.forEach((column, index) => {
      entity[column.name] = valueOf(column, index);
    });
    return entity as unknown as Entity;
  }
}

interface TableParts {
  /** The quoted name. */
  readonly table: string;
  readonly id: Column;
  /** All columns but the id. */
  readonly values: readonly Column[];
  /** The columns that clients see, in their order; the first is the column of the id. */
  readonly shown: readonly Column[];
  readonly filters: readonly Column[];
  readonly newestFirst: boolean;
  /** SQL: takes the lock of additions. */
  readonly lock: string;
}

/** @throws Error if a declared table cannot have this mapping */
function partsOf(declared: DeclaredTable<Identified, object, object>, metadata: TableMetadata): TableParts {
  const { tableName: name, props } = metadata;
  const [id, ...values] = props
    .filter(({ persist }) => persist !== false)
    .toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))
    .map((property) => columnOf(name, property));
  if (id?.name !== 'id') throw new Error(`The table ${name} can't be declared: its primary key must be id`);
  const columnOfField = (field: string) => {
    const column = [id, ...values].find((one) => one.name === field);
    if (column === undefined) throw new Error(`A declared table has no column for the field ${field}`);
    return column;
  };
  return {
    table: quoted(name),
    id,
    values,
    shown: declared.shown.map(columnOfField),
    filters: declared.filters.map(columnOfField),
    newestFirst: declared.newestFirst,
    lock: orderingLock(quoted(name)),
  };
}

/**
 * The prototype of the rows. It inherits from the entity, and hides what MikroORM has put there: setters for the fields, and a
 * `toJSON` that takes longer than everything else that is done to place an order. Rows do not belong to MikroORM.
 */
function prototypeOf(
  { entity, hasToJson }: DeclaredTable<Identified, object, object>,
  columns: readonly Column[],
): object {
  const hidden = [...columns.map(({ name }) => name), ...(hasToJson ? [] : ['toJSON'])];
  const asField = { writable: true, value: undefined };
  return Object.create(entity.prototype, Object.fromEntries(hidden.map((name) => [name, asField]))) as object;
}

/** Converts rows to the parameters of a statement: one array for each column. */
export function columnsOf(rows: readonly RowValues[]): Parameter[] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? null));
}

/** The statements about a table. "Values of the columns" are those of all columns but the id, in their order. */
function statementsOf(name: string, parts: TableParts) {
  const { table, id, values } = parts;
  // Names of their own: PostgreSQL gives two columns that are written by `to_char` one name.
  const all = [id, ...values].map(({ text }, index) => `${text} as text_${index}`).join(', ');
  const load = `select ${all} from ${table} where ${id.sql} = $1::bigint`;
  const changes = values.map(({ sql, parameter }, index) => `${sql} = $${index + 2}::${parameter}`).join(', ');
  return {
    /** Reads rows by their ids. `$1`: ids. Rows: id, JSON. */
    find: named(
      `find_${name}`,
      `select ${id.sql}, ${rowJson(parts)} from ${table} where ${id.sql} = any($1::bigint[])`,
    ),
    pages: named(`find_${name}_pages`, pagesSql(parts)),
    add: named(`add_${name}`, addSql(parts)),
    addOnce: named(`add_${name}_once`, addOnceSql(parts)),
    /** Reads a row for the domain. `$1`: its id. Columns: all, as text. */
    load: named(`load_${name}`, load),
    /** As `load`, and locks the row until the end of the transaction. */
    loadForUpdate: named(`load_${name}_for_update`, `${load} for update`),
    /** Changes a row. `$1`: its id, `$2`…: values of the columns. Rows: one if the id exists. */
    save: named(`save_${name}`, `update ${table} set ${changes} where ${id.sql} = $1::bigint returning 1`),
    /** Removes a row. `$1`: its id. Rows: one if the id existed. */
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

/** SQL: a row as JSON text, without members that have no value. The same bytes as `JSON.stringify` writes for an object. */
function rowJson({ shown }: TableParts): string {
  const members = shown.map(({ name, json, nullable }, index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`.replaceAll("'", "''");
    const member = `'${label}' || ${json}`;
    return nullable ? `coalesce(${member}, '')` : member;
  });
  return `${members.join(' || ')} || '}'`.replaceAll(`' || '`, '');
}

/** The character between two rows of a page. It is never part of JSON, which escapes it. */
export const ROW_SEPARATOR = '\x1e';

/**
 * SQL: identifies the state of the data that a statement sees. Two statements in the same snapshot see the same rows, because
 * they see the same committed transactions. The numbers of a snapshot come back if transactions are lost. So the time of the
 * server's start is part of it, as a standby that was promoted may reach the same numbers, and the time at which the statistics
 * were reset, which PostgreSQL does when it recovers from a crash of one of its processes without a new start. A standby has no
 * snapshot here, because its snapshots do not include all running transactions.
 */
const SNAPSHOT = `case when pg_is_in_recovery() then null else concat_ws('/', pg_current_snapshot(),
  extract(epoch from pg_postmaster_start_time()), extract(epoch from (select stats_reset from pg_stat_bgwriter))) end`;

/**
 * SQL that reads pages. `$1`: ids after which the pages begin, `$2`: sizes, `$3`: whether the page of snapshot `$4` is cached,
 * `$5`…: values of the filters or null. Rows: position, snapshot, JSON of the rows separated by {@link ROW_SEPARATOR}, or null if
 * the page is cached. All combinations of filters share one statement, and each uses an index. Those with more filters come first,
 * as the others hold for them too.
 */
function pagesSql(parts: TableParts): string {
  const { filters } = parts;
  const wanted = filters.map((_filter, index) => `filter_${index}`);
  const combinations = Array.from({ length: 2 ** filters.length }, (_, bits) =>
    wanted.filter((_name, index) => (bits & (1 << index)) !== 0),
  ).toSorted((one, other) => other.length - one.length);
  const cases = combinations.map((given) => {
    const condition = given.map((name) => `wanted.${name} is not null`).join(' and ') || 'true';
    return `when ${condition} then (${pageSql(
      parts,
      filters.filter((_filter, index) => given.includes(`filter_${index}`)),
      given.map((name) => `wanted.${name}`),
    )})`;
  });
  const arrays = ['$1::bigint[]', '$2::integer[]', '$3::boolean[]', ...arraysOf(filters, 5)];
  return `
    with now as materialized (select ${SNAPSHOT} as snapshot)
    select wanted.position, now.snapshot,
      case
        when wanted.kept and now.snapshot = $4::text then null
        ${cases.join('\n        ')}
      end
    from now, unnest(${arrays.join(', ')})
      with ordinality as wanted (${['after_id', 'size', 'kept', ...wanted, 'position'].join(', ')})`;
}

/**
 * SQL: one page. The order is that of the last filter, whose value all rows of the page share, and the id: PostgreSQL walks an
 * index that has these columns at its end, and stops at the limit. The last filter is a range of one value: with `=` PostgreSQL
 * would drop its column from the order, and might then walk another index and discard the rows that do not match.
 */
function pageSql(parts: TableParts, given: readonly Column[], values: readonly string[]): string {
  const { table, id, newestFirst } = parts;
  const last = given.length - 1;
  const conditions = given.map(({ sql }, index) =>
    index === last ? `${sql} between ${values[index]} and ${values[index]}` : `${sql} = ${values[index]}`,
  );
  const columns = [...given.slice(-1), id].map(({ sql }) => sql);
  const order = columns.map((column) => (newestFirst ? `${column} desc` : column)).join(', ');
  return `
    select string_agg(json, e'\\x1e' order by ${order})
    from (
      select ${columns.join(', ')}, ${rowJson(parts)} as json from ${table}
      where ${[...conditions, `${id.sql} ${newestFirst ? '<' : '>'} wanted.after_id`].join(' and ')}
      order by ${order} limit wanted.size
    ) as page`;
}

/**
 * SQL that adds rows in one commit. `$1`…: values of the columns. Rows: ids, in the order of the input. The lock is taken before
 * the rows are read, so before the first id is assigned.
 */
function addSql({ table, id, values, lock }: TableParts): string {
  return `
    with turn as materialized (select ${lock})
    insert into ${table} (${values.map(({ sql }) => sql).join(', ')})
    select ${aliases(values)}
    from turn, unnest(${arraysOf(values, 1).join(', ')}) with ordinality as added (${aliases(values)}, position)
    order by position
    returning ${id.sql}`;
}

/**
 * SQL that adds rows under idempotency keys in one commit. Each key may occur once in the input. `$1`: holders, `$2`: keys, `$3`:
 * hashes of the contents, `$4`…: values of the columns. Rows, in the order of the input: the hash of the first use of the key, the
 * id of the row that was added then, whether this statement added it. The lock is taken before the first id is assigned.
 */
function addOnceSql({ table, id, values, lock }: TableParts): string {
  const arrays = ['$1::text[]', '$2::text[]', '$3::text[]', ...arraysOf(values, 4)];
  return `
    with turn as materialized (select ${lock}),
    added as materialized (
      select nextval(pg_get_serial_sequence('${table.replaceAll("'", "''")}', '${id.field}')) as new_id, asked.*
      from turn, unnest(${arrays.join(', ')}) with ordinality as asked (holder, key, hash, ${aliases(values)}, position)
    ),
    used as (${firstUses('select holder, key, hash, new_id from added')}),
    stored as (
      insert into ${table} (${[id, ...values].map(({ sql }) => sql).join(', ')})
      select new_id, ${aliases(values)} from added join used using (holder, key) where outcome_id = new_id
    )
    select content_hash, outcome_id, outcome_id = new_id from added join used using (holder, key) order by position`;
}

/** New names for the columns, which could have the names of other columns in these statements. */
function aliases(columns: readonly Column[]): string {
  return columns.map((_column, index) => `value_${index}`).join(', ');
}

/** The parameters of the columns, from `$first` on: an array for each. */
function arraysOf(columns: readonly Column[], first: number): string[] {
  return columns.map(({ parameter }, index) => `$${first + index}::${parameter}[]`);
}
