import { createHash } from 'node:crypto';
import {
  FORMAT,
  FORMAT_VERSION,
  TRAILER_START,
  type ExportedTable,
  type ExportHeader,
  type ExportLine,
  type ExportRow,
  type ExportTrailer,
} from './export-format.js';
import { BrokenExportError } from './broken-export.error.js';

/** The maximum length of a line, in bytes: that of a value in PostgreSQL. */
const LONGEST_LINE = 1024 ** 3;

const NEWLINE = 0x0a;

/** A part of an export. The header comes first, and the parts come in the order of the file. */
export type ExportPart =
  | { readonly header: ExportHeader }
  | ExportLine
  /** Rows of the last table that was yielded. */
  | { readonly rows: readonly ExportRow[] };

/**
 * Reads an export as a stream, in bounded memory. It ends without an error only if the file ends with a correct trailer. Callers
 * must not commit any part before.
 *
 * @throws BrokenExportError
 */
export async function* readExport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportPart, void> {
  const sha256 = createHash('sha256');
  let header: ExportHeader | undefined;
  let columns: number | undefined;
  let rows = 0;
  let isOver = false;
  for await (const block of wholeLines(bytes)) {
    if (isOver) throw new BrokenExportError('something comes behind its last line');
    const { body, trailer } = splitTrailer(block);
    sha256.update(body);
    let batch: ExportRow[] = [];
    for (const text of linesOf(body)) {
      const value = parsed(text);
      if (header === undefined) {
        header = headerOf(value);
        yield { header };
      } else if (Array.isArray(value)) {
        batch.push(rowOf(value, columns));
        rows += 1;
      } else {
        if (batch.length > 0) yield { rows: batch };
        batch = [];
        const part = lineOf(value);
        columns = 'table' in part ? columnsOf(header, part.table) : undefined;
        yield part;
      }
    }
    if (batch.length > 0) yield { rows: batch };
    if (trailer === undefined) continue;
    checkTrailer(parsed(trailer), rows, sha256.digest('hex'));
    isOver = true;
  }
  if (!isOver) throw new BrokenExportError('its end is missing');
}

/** Blocks that end with the end of a line. */
async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
      length = 0;
    }
    pending.push(chunk.subarray(end));
    length += chunk.length - end;
    if (length > LONGEST_LINE) throw new BrokenExportError('it holds a line without an end');
  }
  if (length > 0) throw new BrokenExportError('its last line is cut off');
}

/** Splits the trailer off. It is the last line of the file, so it is also the last line of a block. */
function splitTrailer(block: Buffer): { body: Buffer; trailer: string | undefined } {
  const start = block.lastIndexOf(NEWLINE, -2) + 1;
  const last = block.subarray(start, -1);
  if (!last.subarray(0, TRAILER_START.length).equals(Buffer.from(TRAILER_START)))
    return { body: block, trailer: undefined };
  return { body: block.subarray(0, start), trailer: last.toString() };
}

function linesOf(body: Buffer): string[] {
  return body.length === 0 ? [] : body.toString('utf8', 0, body.length - 1).split('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BrokenExportError('it holds a line that is no JSON');
  }
}

function headerOf(value: unknown): ExportHeader {
  const { format, version, migrations, tables } = (value ?? {}) as Partial<Record<keyof ExportHeader, unknown>>;
  if (format !== FORMAT) throw new BrokenExportError('it does not begin as one');
  if (version !== FORMAT_VERSION)
    throw new BrokenExportError(
      `it is of version ${String(version)} of the format, and this program reads ${FORMAT_VERSION}`,
    );
  if (!isList(migrations, isText) || !isList(tables, isTable)) throw new BrokenExportError('its header is damaged');
  return value as ExportHeader;
}

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNamed(value: unknown): boolean {
  const { schema, name } = (value ?? {}) as Partial<Record<keyof ExportedTable, unknown>>;
  return (schema === null || isText(schema)) && isText(name);
}

function isTable(value: unknown): boolean {
  return isNamed(value) && isList((value as Partial<ExportedTable>).columns, isText);
}

function rowOf(value: readonly unknown[], columns: number | undefined): ExportRow {
  if (value.length !== columns) throw new BrokenExportError('it holds a row that has not the columns of its table');
  return value as ExportRow;
}

function lineOf(value: unknown): ExportLine {
  const { table, sequence } = (value ?? {}) as { table?: unknown; sequence?: unknown };
  if (isNamed(table) || isNamed(sequence)) return value as ExportLine;
  throw new BrokenExportError('it holds a line that means nothing');
}

function columnsOf({ tables }: ExportHeader, { schema, name }: { schema: string | null; name: string }): number {
  const table = tables.find((one) => one.schema === schema && one.name === name);
  if (table === undefined) throw new BrokenExportError(`its header does not tell of the table ${name}`);
  return table.columns.length;
}

function checkTrailer(value: unknown, rows: number, sha256: string): void {
  const { end } = value as { end: Partial<ExportTrailer['end']> | null };
  if (end === null) throw new BrokenExportError('its last line is damaged');
  if (end.rows !== rows) throw new BrokenExportError(`it holds ${rows} rows of ${String(end.rows)}`);
  if (end.sha256 !== sha256) throw new BrokenExportError('it has been changed: its checksum is another one');
}
