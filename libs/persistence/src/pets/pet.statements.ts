import { IDEMPOTENCY_KEY_AGE } from '../idempotency/idempotency.statements.js';
import type { Statement } from '../statements.js';

/**
 * An animal as JSON text, the same to the byte as `serializePet` of the API makes it of an object: `to_json` escapes a text
 * as `JSON.stringify` does, and a contract test compares the two.
 */
const RENDERED = `'{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id || ',"status":"' || status || '"}'`;

/**
 * Held from the assignment of an id until its commit, by whoever adds an animal on any instance: so ids become
 * visible in ascending order, and a client that walks the pages never finds a new animal behind it (ADR 0004).
 */
const ADD_PETS_LOCK = 7_381_001;

/** Many animals by their ids. `$1`: ids. Rows: id, JSON. */
export const FIND_PETS: Statement = {
  name: 'find_pets',
  text: `select id, ${RENDERED} from pets where id = any($1::bigint[])`,
};

/**
 * Adds many animals in one commit. `$1`: names, `$2`: category ids, `$3`: statuses. Rows: ids, in the order of the input.
 * The lock is taken where the rows come from, and so before the first id is assigned.
 */
export const ADD_PETS: Statement = {
  name: 'add_pets',
  text: `
    with turn as materialized (select pg_advisory_xact_lock(${ADD_PETS_LOCK}))
    insert into pets (name, category_id, status)
    select added.name, added.category_id, added.status
    from turn, unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as added (name, category_id, status, position)
    order by added.position
    returning id`,
};

/** Until it is too old, a key stays what it was first used for; then it is as good as new. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

/**
 * Adds animals under idempotency keys, each of which may be there once, in one commit. `$1`: holders, `$2`: keys,
 * `$3`: fingerprints, `$4`: names, `$5`: category ids, `$6`: statuses. Rows, in the order of the input: the fingerprint that
 * the key was first used with, the id of the animal that was added then, whether that was now.
 *
 * The lock is taken before the first id, as in {@link ADD_PETS}. A statement that waited for it does not see what was
 * committed meanwhile, but an update on conflict does: so it is by one that the row of a used key is read, whoever wrote it
 * and however short ago (ADR 0011).
 */
export const ADD_PETS_ONCE: Statement = {
  name: 'add_pets_once',
  text: `
    with turn as materialized (select pg_advisory_xact_lock(${ADD_PETS_LOCK})),
    asked as materialized (
      select nextval(pg_get_serial_sequence('pets', 'id')) as pet_id, added.*
      from turn, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
        with ordinality as added (holder, key, fingerprint, name, category_id, status, position)
    ),
    kept as (
      insert into idempotency_keys as used (holder, key, fingerprint, result_id)
      select holder, key, fingerprint, pet_id from asked
      on conflict (holder, key) do update
        set ${['fingerprint', 'result_id', 'created_at'].map(firstUse).join(', ')}
      returning holder, key, fingerprint, result_id
    ),
    outcome as (
      select asked.*, kept.fingerprint as used_for, kept.result_id, kept.result_id = asked.pet_id as is_new
      from asked join kept on kept.holder = asked.holder and kept.key = asked.key
    ),
    stored as (
      insert into pets (id, name, category_id, status)
      select pet_id, name, category_id, status from outcome where is_new
    )
    select used_for, result_id, is_new from outcome order by position`,
};

/**
 * What identifies the state of the data that a statement sees. Two statements with the same snapshot see the same rows:
 * which transactions are over is all that decides it. The start of the server is part of it, because another server,
 * promoted after a failure, may come to the same numbers by other transactions. A standby has none: its snapshots
 * do not tell every transaction that is under way.
 */
const SNAPSHOT = `case when pg_is_in_recovery() then null
  else pg_current_snapshot()::text || '/' || extract(epoch from pg_postmaster_start_time())::text end`;

/**
 * One page: walks an index in its order, and stops at the limit.
 *
 * @param order the columns of the index. PostgreSQL drops one that is compared with `=` from the order, and may then walk
 *   another index and throw away what the filter refuses; a range of one value keeps it there.
 */
function page(filter: string, order: string): string {
  return `
    select string_agg(json, ',' order by ${order})
    from (
      select status, id, ${RENDERED} as json from pets
      where ${filter} id > wanted.after_id order by ${order} limit wanted.size
    ) as page`;
}

/**
 * Many pages. `$1`: statuses or null, `$2`: ids that the pages come after, `$3`: sizes, `$4`: whether the asker keeps the
 * page of snapshot `$5`. Rows: position, snapshot, the animals' JSON with commas between; without it where it is kept.
 * A filter of its own for every page would cost a statement each; a null status would cost the index.
 */
export const FIND_PAGES: Statement = {
  name: 'find_pages',
  text: `
    with now as materialized (select ${SNAPSHOT} as snapshot)
    select wanted.position, now.snapshot,
      case
        when wanted.kept and now.snapshot = $5::text then null
        when wanted.status is null then (${page('', 'id')})
        else (${page('status between wanted.status and wanted.status and', 'status, id')})
      end
    from now, unnest($1::text[], $2::bigint[], $3::integer[], $4::boolean[])
      with ordinality as wanted (status, after_id, size, kept, position)`,
};
