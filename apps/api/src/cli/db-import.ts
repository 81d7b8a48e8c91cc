import { importProgram } from '../transfer/import-program.js';
import { runTransfer } from './run-transfer.js';

await runTransfer(importProgram);
