/** The frequent SQL of the catalogue. A statement serves many calls; its parameters are arrays with one element for each. */
import { firstUses } from '../idempotency/mikro-orm-idempotency.js';
import type { Statement } from '../statements.js';
import { additionsLock } from '../transactions/lock-additions.js';

/** A pet as JSON, with the bytes that `serializePet` of the API writes. */
const PET_JSON = `'{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id || ',"status":"' || pets.status || '"}'`;

/**
 * Identifies the data that a statement sees. Numbers of snapshots come back if transactions are lost: by the promotion of a
 * standby, which starts anew, or by a crash, which resets statistics. A standby has none, as its snapshots lack some running
 * transactions.
 */
const SNAPSHOT = `case when pg_is_in_recovery() then null else concat_ws('/', pg_current_snapshot(),
      extract(epoch from pg_postmaster_start_time()), extract(epoch from (select stats_reset from pg_stat_bgwriter))) end`;

/**
 * Reads pages. `$1` ids after which they begin, `$2` sizes, `$3` statuses or null, `$4` whether the page of snapshot `$5` is
 * cached. Rows, in the order of the input: snapshot; the pets as JSON with U+001E (`ROW_SEPARATOR`) between them, or null if
 * there are none or the page is cached.
 *
 * `between` makes PostgreSQL walk the index of statuses and stop at the limit. With `=` it would drop the status from the
 * order, walk the primary key, and discard the rows that do not match.
 */
export const FIND_PAGES: Statement = {
  name: 'find_pets_pages',
  text: `
    with now as materialized (select ${SNAPSHOT} as snapshot)
    select now.snapshot, case
      when is_cached and now.snapshot = $5::text then null
      when wanted.status is null then (
        select string_agg(json, e'\\x1e' order by id) from (
          select id, ${PET_JSON} as json from pets where id > after_id order by id limit size) as page)
      else (
        select string_agg(json, e'\\x1e' order by status, id) from (
          select status, id, ${PET_JSON} as json from pets
          where status between wanted.status and wanted.status and id > after_id order by status, id limit size) as page)
      end as text
    from now, unnest($1::bigint[], $2::integer[], $3::text[], $4::boolean[]) with ordinality
      as wanted (after_id, size, status, is_cached, position)
    order by position`,
};

/** Reads pets. `$1` ids. Rows: id, JSON. */
export const FIND_PETS: Statement = {
  name: 'find_pets',
  text: `select id, ${PET_JSON} as json from pets where id = any($1::bigint[])`,
};

/** To be read before the first id is assigned (ADR 0004). */
const ADDITIONS_LOCK = `locked as materialized (select ${additionsLock(`'pets'`)})`;

/** Adds pets in one commit. `$1` names, `$2` categories, `$3` statuses. Rows: ids, in the order of the input. */
export const ADD_PETS: Statement = {
  name: 'add_pets',
  text: `
    with ${ADDITIONS_LOCK}
    insert into pets (name, category_id, status)
    select name, category_id, status
    from locked, unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as added (name, category_id, status, position)
    order by position
    returning id`,
};

/**
 * Adds pets under idempotency keys in one commit. Each key may occur once in the input. `$1` holders, `$2` keys, `$3` hashes
 * of the contents, `$4` names, `$5` categories, `$6` statuses. Rows, in the order of the input: the hash of the first use of
 * the key, the id that it made, whether this statement made it. The key may have made something else with the same number.
 */
export const ADD_PETS_ONCE: Statement = {
  name: 'add_pets_once',
  text: `
    with ${ADDITIONS_LOCK},
    added as materialized (
      select nextval(pg_get_serial_sequence('pets', 'id')) as new_id, asked.*
      from locked, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[]) with ordinality
        as asked (holder, key, hash, name, category_id, status, position)
    ),
    used as (${firstUses('select holder, key, hash, new_id from added')}),
    stored as (
      insert into pets (id, name, category_id, status)
      select new_id, name, category_id, status from added join used using (holder, key)
      where outcome_id = new_id and content_hash = hash
    )
    select content_hash, outcome_id, outcome_id = new_id as is_new
    from added join used using (holder, key) order by position`,
};
