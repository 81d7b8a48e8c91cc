import type { Command } from 'commander';
import { checkExport, importData } from '@animal-store/persistence/transfer';
import { readExportFile, STANDARD_STREAM } from './export-file.js';
import { transferProgram, type TransferHost } from './transfer-program.js';
import { TransferReport } from './transfer-report.js';

const DESCRIPTION = `Brings the data of an export into the database at DATABASE_URL, else into the embedded one in DATA_DIR, in one commit: all
of it, or nothing. The database must be empty, and no instance of the service may run on it. What it lacks of tables and
migrations is made.`;

export function importProgram({ environment, tell, signal }: TransferHost): Command {
  return transferProgram('db:import', DESCRIPTION, ['pets.jsonl.gz', '--check pets.jsonl.gz'])
    .argument('<file>', `what db:export has written; ${STANDARD_STREAM} is the standard input`)
    .option('--check', 'only read the file, and say whether it is whole', false)
    .option('--replace', 'remove the data that is in the database, in the same commit', false)
    .action(async (file: string, { check, replace }: { check: boolean; replace: boolean }) => {
      const bytes = readExportFile(file, signal);
      if (check) {
        const report = new TransferReport('Found', tell);
        const { rows, header } = await checkExport(bytes, report.progress);
        report.done(rows, header.tables.length, `. The file is whole: of ${header.exportedAt}, ${header.database}`);
        return;
      }
      const { DATABASE_URL: url, DATA_DIR: dataDir } = environment();
      const report = new TransferReport('Imported', tell);
      const { rows, header } = await importData({ url, dataDir }, bytes, replace, report.progress);
      const where = url === undefined ? `, into ${dataDir}` : '';
      report.done(rows, header.tables.length, `${where}. The data is of ${header.exportedAt}`);
    });
}
