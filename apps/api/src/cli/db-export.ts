import { exportProgram } from '../transfer/export-program.js';
import { runTransfer } from './run-transfer.js';

await runTransfer(exportProgram);
