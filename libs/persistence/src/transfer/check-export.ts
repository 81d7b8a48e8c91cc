import { BrokenExportError } from './broken-export.error.js';
import type { Progress, TransferSummary } from './export-format.js';
import { readExport } from './export-reader.js';

/** Reads a whole export without a database, to check it. @throws BrokenExportError */
export async function checkExport(bytes: AsyncIterable<Uint8Array>, progress: Progress): Promise<TransferSummary> {
  let summary: TransferSummary | undefined;
  let table = '';
  for await (const part of readExport(bytes)) {
    if ('header' in part) summary = { header: part.header, rows: 0 };
    else if ('table' in part) table = part.table.name;
    else if ('rows' in part && summary !== undefined) {
      summary = { ...summary, rows: summary.rows + part.rows.length };
      progress(summary.rows, table);
    }
  }
  if (summary === undefined) throw new BrokenExportError('it is empty');
  return summary;
}
