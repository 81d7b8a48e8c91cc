import type { Named, SequenceState } from './catalogue.js';
import type { Text } from './session.js';

/**
 * An export is a text of JSON lines (docs/operations.md, "The format of an export"): the header, for each table a line that
 * begins it and a line for each row, a line for each sequence, the trailer. Values are strings as PostgreSQL writes them, or
 * null. So nobody rounds an integer of 64 bits, whatever reads the file.
 */
export const FORMAT = 'table-export';

/** Counted up when files become different: those of a later number are refused. */
export const FORMAT_VERSION = 1;

export interface ExportedTable extends Named {
  readonly columns: readonly string[];
}

/** The first line. */
export interface ExportHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The moment of which the data is, by the clock of the database. */
  readonly exportedAt: string;
  readonly database: string;
  /** The migrations that the data has been through, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly ExportedTable[];
}

/** The last line. */
export interface ExportTrailer {
  readonly end: {
    /** Of all tables. */
    readonly rows: number;
    /** Of every byte before this line, as 64 hexadecimal digits. */
    readonly sha256: string;
  };
}

/** A line between the two, but for rows. */
export type ExportLine = { readonly table: Named } | { readonly sequence: SequenceState };

export type ExportRow = readonly Text[];

/** Every trailer begins so, and no other line. */
export const TRAILER_START = '{"end":';

/** What was exported, or imported. */
export interface TransferSummary {
  readonly header: ExportHeader;
  readonly rows: number;
}

/** Called now and then with what was done so far. */
export type Progress = (rows: number, table: string) => void;
