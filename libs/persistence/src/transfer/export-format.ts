import type { SequenceState } from './catalogue.js';
import type { Named } from './named.js';
import type { Text } from './session.js';

/**
 * An export consists of JSON lines (docs/operations.md, "The format of an export"): the header; for each table a line with its
 * name and a line for each row; a line for each sequence; the trailer. Values are strings as PostgreSQL writes them, or null. So
 * no program that reads the file rounds 64-bit integers.
 */
export const FORMAT = 'table-export';

/** Increased when the format changes. Files with a higher version are refused. */
export const FORMAT_VERSION = 1;

export interface ExportedTable extends Named {
  readonly columns: readonly string[];
}

/** The first line. */
export interface ExportHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The time of the data, by the clock of the database. */
  readonly exportedAt: string;
  readonly database: string;
  /** The migrations that were executed on the data, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly ExportedTable[];
}

/** The last line. */
export interface ExportTrailer {
  readonly end: {
    /** The number of rows of all tables. */
    readonly rows: number;
    /** The SHA-256 of all bytes before this line, as 64 hexadecimal digits. */
    readonly sha256: string;
  };
}

/** A line between header and trailer that is not a row. */
export type ExportLine = { readonly table: Named } | { readonly sequence: SequenceState };

export type ExportRow = readonly Text[];

/** The start of every trailer, and of no other line. */
export const TRAILER_START = '{"end":';

/** The result of an export or an import. */
export interface TransferSummary {
  readonly header: ExportHeader;
  readonly rows: number;
}

/** Called from time to time with the number of rows so far. */
export type Progress = (rows: number, table: string) => void;
