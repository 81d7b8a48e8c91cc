import type { Column } from './column.js';
import type { StatementNames } from './statement-names.js';

/** The parts of a declared table from which its statements are made. */
export interface TableParts {
  readonly name: string;
  /** All columns; the first is the column of the id. */
  readonly columns: readonly [Column, ...Column[]];
  /** The columns that clients see, in their order; the first is the column of the id. */
  readonly shown: readonly Column[];
  readonly filter: Column | undefined;
  readonly names: StatementNames;
}
