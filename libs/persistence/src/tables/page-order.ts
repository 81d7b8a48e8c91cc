import type { Column } from './column.js';

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
