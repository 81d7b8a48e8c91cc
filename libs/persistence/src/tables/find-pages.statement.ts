import { quoted, type Column } from './column.js';
import { equalInOrder, pageOrder } from './page-order.js';
import { rowJson } from './row-json.js';
import type { TableParts } from './table-parts.js';

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
