export { declareTable, type DeclaredTable } from './declare-table.js';
export type { Table } from './table.js';
export { Tables } from './tables.js';
