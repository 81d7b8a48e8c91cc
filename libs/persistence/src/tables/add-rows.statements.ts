import { KEEP_FIRST_USE } from '../idempotency/first-use.sql.js';
import { orderingLock } from '../sql/advisory-locks.js';
import { quoted, type Column } from './column.js';
import type { TableParts } from './table-parts.js';

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
