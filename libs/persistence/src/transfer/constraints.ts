import type { Session } from './session.js';

/**
 * Drops the foreign keys of the tables and disables their triggers, so that rows can be imported in any order: two tables may
 * refer to each other, and exported rows already contain the effects of triggers. To be called in a transaction.
 *
 * @param tables their quoted names
 * @returns a function that restores everything; PostgreSQL then checks every foreign key
 */
export async function dropConstraints(session: Session, tables: readonly string[]): Promise<() => Promise<void>> {
  const keys = await session.query(
    `select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint
     where contype = 'f' and conparentid = 0
       and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[])) order by oid`,
    [tables],
  );
  const triggers = await session.query(
    `select tgrelid::regclass::text, quote_ident(tgname), case tgenabled when 'A' then 'always' else '' end from pg_trigger
     where tgrelid = any($1::text[]::regclass[]) and not tgisinternal and tgparentid = 0 and tgenabled in ('O', 'A')`,
    [tables],
  );
  for (const [table, name] of keys) await session.query(`alter table ${table} drop constraint ${name}`);
  for (const [table, name] of triggers) await session.query(`alter table ${table} disable trigger ${name}`);
  return async () => {
    for (const [table, name, always] of triggers)
      await session.query(`alter table ${table} enable ${always} trigger ${name}`);
    for (const [table, name, definition] of keys)
      await session.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}
