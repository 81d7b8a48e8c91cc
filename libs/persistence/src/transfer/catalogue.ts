import { sqlName, type Named } from './named.js';
import type { Session } from './session.js';

export interface TableColumn {
  readonly name: string;
  /** The type as it is written in a cast. */
  readonly type: string;
}

export interface CatalogueTable extends Named {
  /** The stored columns, without generated columns. */
  readonly columns: readonly TableColumn[];
  /** The columns of the primary key; empty if there is none. */
  readonly key: readonly string[];
}

/** The state of a sequence: its next value is `last`, or the value after `last` if `called` is true. */
export interface SequenceState extends Named {
  readonly last: string;
  readonly called: boolean;
}

/** The table of the executed migrations. It belongs to the schema and is not exported. */
const MIGRATIONS = 'mikro_orm_migrations';

/** SQL: objects that belong to PostgreSQL, to an extension or to a session. */
const FOREIGN = `
  n.nspname like 'pg\\_%' or n.nspname = 'information_schema'
  or exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')`;

const SCHEMA = `case when n.nspname = current_schema() then null else n.nspname end`;

/** All tables, ordered by name. Tables of modules are found without a list. */
export async function tablesOf(session: Session): Promise<CatalogueTable[]> {
  const rows = await session.query(`
    select ${SCHEMA}, c.relname, (
      select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, -1)) order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    )::text, (
      select json_agg(a.attname order by k.position)
      from pg_index i, unnest(i.indkey::int2[]) with ordinality as k (attnum, position), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum
    )::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '${MIGRATIONS}' and not (${FOREIGN})
    order by n.nspname <> current_schema(), n.nspname collate "C", c.relname collate "C"`);
  return rows.map(([schema = null, name, columns, key]) => ({
    schema,
    name: String(name),
    columns: JSON.parse(columns ?? '[]') as TableColumn[],
    key: JSON.parse(key ?? '[]') as string[],
  }));
}

export async function sequencesOf(session: Session): Promise<SequenceState[]> {
  const rows = await session.query(`
    select ${SCHEMA}, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and not (${FOREIGN})
      and not exists (
        select from pg_depend d join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
        where d.objid = c.oid and d.classid = 'pg_class'::regclass and t.relname = '${MIGRATIONS}')
    order by n.nspname collate "C", c.relname collate "C"`);
  const states: SequenceState[] = [];
  for (const [schema = null, name] of rows) {
    const named = { schema, name: String(name) };
    const [state] = await session.query(`select last_value::text, is_called::text from ${sqlName(named)}`);
    states.push({ ...named, last: String(state?.[0]), called: state?.[1] === 'true' });
  }
  return states;
}

/** The names of the executed migrations, in order; empty if their table does not exist. */
export async function executedMigrations(session: Session): Promise<string[]> {
  const [found] = await session.query(`select to_regclass('${MIGRATIONS}')::text`);
  if (found?.[0] == null) return [];
  const rows = await session.query(`select name::text from ${MIGRATIONS} order by name collate "C"`);
  // Older entries may be names of files.
  return rows.map(([name]) => String(name).replace(/\.[jt]s$/, ''));
}
