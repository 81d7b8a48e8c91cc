import { KEEP_FIRST_USE } from '../idempotency/idempotency-key.mapping.js';
import { orderingLock } from '../sql/advisory-locks.js';
import type { Statement } from '../sql/sql-executor.js';
import { type Column, quoted } from './column.js';
import type { StatementNames } from './declare-table.js';

/** The parts of a declared table from which its statements are made. */
export interface TableParts {
  readonly name: string;
  /** All columns; the first is the column of the id. */
  readonly columns: readonly [Column, ...Column[]];
  /** The columns that clients see, in their order; the first is the column of the id. */
  readonly shown: readonly Column[];
  readonly filter: Column | undefined;
  readonly names: StatementNames;
}

/** The length to which PostgreSQL cuts names, in bytes. */
const MAX_NAME = 63;

/** The statements about a declared table. "Values of the columns" are those of all columns but the id, in their order. */
export interface TableStatements {
  /** Reads rows by their ids. `$1`: ids. Rows: id, JSON. */
  readonly find: Statement;
  /**
   * Reads pages. `$1`: values of the filter or null, `$2`: ids after which the pages begin, `$3`: sizes, `$4`: whether the page
   * of snapshot `$5` is cached. Rows: position, snapshot, JSON of the rows separated by `ROW_SEPARATOR`, or null if the page
   * is cached. The two cases of the filter share one statement, and pages without a filter still use an index.
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
  /** Reads a page for the domain. `$1`: the id after which it begins, `$2`: its size. Columns: all, as text. */
  readonly loadPage: Statement;
  /** As {@link loadPage}, with the filter. `$3`: its value. */
  readonly loadFilteredPage: Statement;
  /** Changes a row. `$1`: its id, `$2`…: values of the columns. Rows: one if the id exists. */
  readonly save: Statement;
}

export function tableStatements(parts: TableParts): TableStatements {
  const { name, columns, names } = parts;
  const [id, ...values] = columns;
  const table = quoted(name);
  // `order by` would take the text of a column for the column if both had the same name.
  const all = columns.map(({ text }, index) => `${text} as text_${index}`).join(', ');
  const page = `select ${all} from ${table} where`;
  const { filter = id } = parts;
  return {
    find: named(names.find, `select ${id.sql}, ${rowJson(parts)} from ${table} where ${id.sql} = any($1::bigint[])`),
    pages: named(names.pages, findPagesSql(parts)),
    add: named(names.add, addSql(parts)),
    addOnce: named(names.addOnce, addOnceSql(parts)),
    load: named(`load_${name}`, `${page} ${id.sql} = $1::bigint`),
    loadForUpdate: named(`load_${name}_for_update`, `${page} ${id.sql} = $1::bigint for update`),
    loadPage: named(
      `load_${name}_pages`,
      `${page} ${id.sql} > $1::bigint order by ${pageOrder(id, undefined)} limit $2::integer`,
    ),
    loadFilteredPage: named(
      `load_filtered_${name}_pages`,
      `${page} ${equalInOrder(filter, `$3::${filter.parameter}`)} and ${id.sql} > $1::bigint
    order by ${pageOrder(id, filter)} limit $2::integer`,
    ),
    save: named(
      `save_${name}`,
      `update ${table} set ${values
        .map((column, index) => `${column.sql} = ${column.cast(`$${index + 2}::${column.parameter}`)}`)
        .join(', ')} where ${id.sql} = $1::bigint returning 1`,
    ),
  };
}

/** @throws Error if PostgreSQL would cut the name, and so could take two statements for one */
function named(name: string, text: string): Statement {
  if (name.length > MAX_NAME)
    throw new Error(`The statement ${name} needs a shorter name: at most ${MAX_NAME} characters`);
  return { name, text };
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

/** SQL of `TableStatements.pages`. */
export function findPagesSql(parts: TableParts): string {
  const { filter } = parts;
  const all = onePage(parts, undefined, '');
  const filtered = filter === undefined ? all : onePage(parts, filter, `${equalInOrder(filter, 'wanted.filter')} and`);
  return `
    with now as materialized (select ${SNAPSHOT} as snapshot)
    select wanted.position, now.snapshot,
      case
        when wanted.kept and now.snapshot = $5::text then null
        when wanted.filter is null then (${all})
        else (${filtered})
      end
    from now, unnest($1::${filter?.parameter ?? 'text'}[], $2::bigint[], $3::integer[], $4::boolean[])
      with ordinality as wanted (filter, after_id, size, kept, position)`;
}

/** One page: PostgreSQL walks an index in the order of the page and stops at the limit. */
function onePage({ name, columns: [id], shown }: TableParts, filter: Column | undefined, condition: string): string {
  const order = pageOrder(id, filter);
  return `
    select string_agg(json, e'\\x1e' order by ${order})
    from (
      select ${order}, ${rowJson({ shown })} as json from ${quoted(name)}
      where ${condition} ${id.sql} > wanted.after_id order by ${order} limit wanted.size
    ) as page`;
}

/**
 * SQL: the order of every list, ascending by id. With a filter the column of the filter comes first, so that PostgreSQL walks the
 * index of that column and the id; all rows have the same value there.
 */
export function pageOrder(id: Column, filter: Column | undefined): string {
  return [filter, id].flatMap((column) => column?.sql ?? []).join(', ');
}

/**
 * SQL: a filter of one value, as a range. With `=` PostgreSQL would drop the column from the order. It might then walk another
 * index and discard the rows that do not match.
 */
export function equalInOrder(column: Column, parameter: string): string {
  const value = column.cast(parameter);
  return `${column.sql} between ${value} and ${value}`;
}

/** SQL: a row as JSON text, without members that have no value. The same bytes as `JSON.stringify` writes for an object. */
export function rowJson({ shown }: Pick<TableParts, 'shown'>): string {
  const members = shown.map((column, index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`.replaceAll("'", "''");
    const member = `'${label}' || ${column.json}`;
    return column.nullable ? `coalesce(${member}, '')` : member;
  });
  return `${members.join(' || ')} || '}'`.replaceAll(`' || '`, '');
}

/** SQL of `TableStatements.add`. The lock is taken before the rows are read, so before the first id is assigned. */
export function addSql({ name, columns: [id, ...values] }: TableParts): string {
  const table = quoted(name);
  return `
    with turn as materialized (select ${orderingLock(table)})
    insert into ${table} (${values.map(({ sql }) => sql).join(', ')})
    select ${castAll(values)}
    from turn, unnest(${parameters(values, 1)}) with ordinality as added (${aliases(values)}, position)
    order by added.position
    returning ${id.sql}`;
}

/**
 * SQL of `TableStatements.addOnce`. The lock is taken before the first id, as in {@link addSql}. A statement that waited for the
 * lock does not see rows that were committed meanwhile, but an update on conflict does. So the row of a used key is read by an
 * update, and the statement sees it even if another statement has just written it (ADR 0011).
 */
export function addOnceSql({ name, columns: [id, ...values] }: TableParts): string {
  const table = quoted(name);
  const own = aliases(values);
  return `
    with turn as materialized (select ${orderingLock(table)}),
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
