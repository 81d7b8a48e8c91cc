import type { Statement } from '../sql/sql-executor.js';
import { addOnceSql, addSql } from './add-rows.statements.js';
import { quoted } from './column.js';
import { findPagesSql } from './find-pages.statement.js';
import { equalInOrder, pageOrder } from './page-order.js';
import { rowJson } from './row-json.js';
import type { TableParts } from './table-parts.js';

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
