import { orderingLock } from '../advisory-locks.js';
import { KEEP_FIRST_USE } from '../idempotency/idempotency.statements.js';
import type { Statement } from '../sql-executor.js';
import { quoted, type Column } from './column.js';
import type { StatementNames } from './declare-table.js';

/** Between two rows of a page, and in no JSON: there it is escaped. */
export const ROW_SEPARATOR = '\x1e';

/** What PostgreSQL keeps of a name. */
const MAX_NAME = 63;

/** A table in the words of SQL. */
export interface TableParts {
  readonly name: string;
  /** All columns. The first is that of the id. */
  readonly columns: readonly [Column, ...Column[]];
  /** Those that are shown, in their order. The first is that of the id. */
  readonly shown: readonly Column[];
  readonly filter: Column | undefined;
  readonly names: StatementNames;
}

/** Every statement about a declared table. Where one asks for values of the columns, they are those but the id, in their order. */
export interface TableStatements {
  /** Many rows by their ids. `$1`: ids. Rows: id, JSON. */
  readonly find: Statement;
  /**
   * Many pages. `$1`: values of the filter or null, `$2`: ids that the pages come after, `$3`: sizes, `$4`: whether the asker
   * keeps the page of snapshot `$5`. Rows: position, snapshot, the JSON of the rows with {@link ROW_SEPARATOR} between; without
   * it where it is kept. A filter of its own for every page would cost a statement each; a null value would cost the index.
   */
  readonly pages: Statement;
  /**
   * Adds many rows in one commit. `$1`…: values of the columns. Rows: ids, in the order of the input. The lock is taken where
   * the rows come from, and so before the first id is assigned.
   */
  readonly add: Statement;
  /**
   * Adds rows under idempotency keys, each of which may be there once, in one commit. `$1`: holders, `$2`: keys,
   * `$3`: fingerprints, `$4`…: values of the columns. Rows, in the order of the input: the fingerprint that the key was first
   * used with, the id of the row that was added then, whether that was now.
   *
   * The lock is taken before the first id, as in {@link add}. A statement that waited for it does not see what was committed
   * meanwhile, but an update on conflict does: so it is by one that the row of a used key is read, whoever wrote it and however
   * short ago (ADR 0011).
   */
  readonly addOnce: Statement;
  /** One row for the domain. `$1`: its id. Columns: all, as text. */
  readonly load: Statement;
  /** The same, and nobody else loads it so or changes it before the end of the transaction. */
  readonly loadForUpdate: Statement;
  /** A page for the domain. `$1`: the id that it comes after, `$2`: its size. Columns: all, as text. */
  readonly loadPage: Statement;
  /** The same under the filter. `$3`: its value. */
  readonly loadFilteredPage: Statement;
  /** Changes a row. `$1`: its id, `$2`…: values of the columns. One row where there is such a row. */
  readonly save: Statement;
}

/** @returns what metrics, traces and PostgreSQL call the statements about a table, unless its declaration says otherwise */
export function statementNames(table: string): StatementNames {
  return { find: `find_${table}`, pages: `find_${table}_pages`, add: `add_${table}`, addOnce: `add_${table}_once` };
}

export function tableStatements(parts: TableParts): TableStatements {
  const { name, columns, names } = parts;
  const [id, ...values] = columns;
  const table = quoted(name);
  const listed = values.map(({ sql }) => sql).join(', ');
  // Under names of their own: `order by` would take the text of a column for the column.
  const all = columns.map(({ text }, index) => `${text} as text_${index}`).join(', ');
  const page = `select ${all} from ${table} where`;
  const { filter = id } = parts;
  return {
    find: named(names.find, `select ${id.sql}, ${rendered(parts)} from ${table} where ${id.sql} = any($1::bigint[])`),
    pages: named(names.pages, pages(parts)),
    add: named(
      names.add,
      `
    with turn as materialized (select ${orderingLock(table)})
    insert into ${table} (${listed})
    select ${castAll(values)}
    from turn, unnest(${parameters(values, 1)}) with ordinality as added (${aliases(values)}, position)
    order by added.position
    returning ${id.sql}`,
    ),
    addOnce: named(names.addOnce, addOnce(parts)),
    load: named(`load_${name}`, `${page} ${id.sql} = $1::bigint`),
    loadForUpdate: named(`load_${name}_for_update`, `${page} ${id.sql} = $1::bigint for update`),
    loadPage: named(`load_${name}_pages`, `${page} ${id.sql} > $1::bigint order by ${id.sql} limit $2::integer`),
    loadFilteredPage: named(
      `load_filtered_${name}_pages`,
      `${page} ${between(filter, `$3::${filter.parameter}`)} and ${id.sql} > $1::bigint
    order by ${filter.sql}, ${id.sql} limit $2::integer`,
    ),
    save: named(
      `save_${name}`,
      `update ${table} set ${values
        .map((column, index) => `${column.sql} = ${column.cast(`$${index + 2}::${column.parameter}`)}`)
        .join(', ')} where ${id.sql} = $1::bigint returning 1`,
    ),
  };
}

/** @throws Error where PostgreSQL would cut the name off, and take two statements for one */
function named(name: string, text: string): Statement {
  if (name.length > MAX_NAME)
    throw new Error(`The statement ${name} needs a shorter name: at most ${MAX_NAME} characters`);
  return { name, text };
}

/** A row as JSON text, with the members that have a value: the same to the byte as `JSON.stringify` makes it of an object. */
function rendered({ shown }: TableParts): string {
  const members = shown.map((column, index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`.replaceAll("'", "''");
    const member = `'${label}' || ${column.json}`;
    return column.nullable ? `coalesce(${member}, '')` : member;
  });
  return `${members.join(' || ')} || '}'`.replaceAll(`' || '`, '');
}

/**
 * A filter of one value. PostgreSQL drops a column that is compared with `=` from the order, and may then walk another index
 * and throw away what the filter refuses; a range of one value keeps it there.
 */
function between(column: Column, parameter: string): string {
  const value = column.cast(parameter);
  return `${column.sql} between ${value} and ${value}`;
}

/**
 * What identifies the state of the data that a statement sees. Two statements with the same snapshot see the same rows:
 * which transactions are over is all that decides it. The start of the server is part of it, because another server,
 * promoted after a failure, may come to the same numbers by other transactions. A standby has none: its snapshots
 * do not tell every transaction that is under way.
 */
const SNAPSHOT = `case when pg_is_in_recovery() then null
  else pg_current_snapshot()::text || '/' || extract(epoch from pg_postmaster_start_time())::text end`;

function pages(parts: TableParts): string {
  const { filter } = parts;
  const all = onePage(parts, [], '');
  const filtered = filter === undefined ? all : onePage(parts, [filter], `${between(filter, 'wanted.filter')} and`);
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

/** One page: walks an index in its order, and stops at the limit. */
function onePage({ name, columns: [id], ...parts }: TableParts, filters: readonly Column[], filter: string): string {
  const order = [...filters, id].map(({ sql }) => sql).join(', ');
  return `
    select string_agg(json, e'\\x1e' order by ${order})
    from (
      select ${order}, ${rendered({ name, columns: [id], ...parts })} as json from ${quoted(name)}
      where ${filter} ${id.sql} > wanted.after_id order by ${order} limit wanted.size
    ) as page`;
}

function addOnce({ name, columns: [id, ...values] }: TableParts): string {
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

/** Names of their own: a column may be called as what stands beside it here. */
function aliases(columns: readonly Column[]): string {
  return columns.map((_column, index) => `value_${index}`).join(', ');
}

function parameters(columns: readonly Column[], first: number): string {
  return columns.map(({ parameter }, index) => `$${first + index}::${parameter}[]`).join(', ');
}

function castAll(columns: readonly Column[], from = 'added'): string {
  return columns.map((column, index) => column.cast(`${from}.value_${index}`)).join(', ');
}
