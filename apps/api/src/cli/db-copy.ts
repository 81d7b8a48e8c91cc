import { copyProgram } from '../transfer/copy-program.js';
import { runTransfer } from './run-transfer.js';

await runTransfer(copyProgram);
