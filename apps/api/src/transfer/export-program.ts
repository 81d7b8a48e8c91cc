import type { Command } from 'commander';
import { exportData } from '@animal-store/persistence/transfer';
import { STANDARD_STREAM, writeExportFile } from './export-file.js';
import { transferProgram, type TransferHost } from './transfer-program.js';
import { pauseOf, TransferReport } from './transfer-report.js';

const DESCRIPTION = `Writes all data of the service into one file, while the service may run: of the database at DATABASE_URL, else
of the embedded one in DATA_DIR. The file can be imported into a server or an embedded database. It holds the hashes of
the API keys and the secret that signs cursors: keep it as you keep the database.`;

export function exportProgram({ environment, tell, signal }: TransferHost): Command {
  return transferProgram('db:export', DESCRIPTION, ['--output pets.jsonl.gz'])
    .requiredOption('-o, --output <file>', `where to; ${STANDARD_STREAM} is the standard output`)
    .option('--overwrite', 'replace a file of that name, once the new one is whole', false)
    .action(async ({ output, overwrite }: { output: string; overwrite: boolean }) => {
      const { DATABASE_URL: url, DATA_DIR: dataDir } = environment();
      const report = new TransferReport('Exported', tell);
      const { rows, header, pausedMs } = await writeExportFile(output, { overwrite, signal }, (write) =>
        exportData({ url, dataDir }, write, report.progress),
      );
      const where = output === STANDARD_STREAM ? '' : `, to ${output}`;
      report.done(rows, header.tables.length, `${where}${pauseOf(pausedMs)}`);
    });
}
