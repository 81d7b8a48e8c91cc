import type { TableParts } from './table-parts.js';

/** SQL: a row as JSON text, without members that have no value. The same bytes as `JSON.stringify` writes for an object. */
export function rowJson({ shown }: Pick<TableParts, 'shown'>): string {
  const members = shown.map((column, index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`.replaceAll("'", "''");
    const member = `'${label}' || ${column.json}`;
    return column.nullable ? `coalesce(${member}, '')` : member;
  });
  return `${members.join(' || ')} || '}'`.replaceAll(`' || '`, '');
}
