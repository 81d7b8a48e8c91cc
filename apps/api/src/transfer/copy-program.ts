import type { Command } from 'commander';
import { copyEmbedded } from '@animal-store/persistence/transfer';
import { InvalidEnvironmentError } from '../invalid-environment.error.js';
import { transferProgram, type TransferHost } from './transfer-program.js';
import { pauseOf, TransferReport } from './transfer-report.js';

const DESCRIPTION = `Copies the embedded database in DATA_DIR into a folder that does not exist yet, while the service may run. DATA_DIR can then
name the copy. It is opened once before it gets its name, and holds the development key too.`;

export function copyProgram({ environment, tell }: TransferHost): Command {
  return transferProgram('db:copy', DESCRIPTION, ['/var/backups/animal-store/2027-01-31'])
    .argument('<folder>', 'where to')
    .action(async (folder: string) => {
      const { DATABASE_URL: url, DATA_DIR: dataDir } = environment();
      if (url !== undefined)
        throw new InvalidEnvironmentError([
          'DATABASE_URL must not be set: a server is copied by pg_basebackup, pg_dump or npm run db:export',
        ]);
      const report = new TransferReport('Copied', tell);
      const { tables, pausedMs } = await copyEmbedded(dataDir, folder);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0n);
      report.done(Number(rows), tables.length, `, to ${folder}${pauseOf(pausedMs)}`);
    });
}
