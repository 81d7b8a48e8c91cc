export { flush } from '../embedded/copy-data.js';
export { copyEmbedded, type CopySummary } from './copy-embedded.js';
export type { Progress, TransferSummary } from './export-format.js';
export { checkExport, exportData, importData, type ExportSummary } from './transfer.js';
export type { TransferPlace } from './transfer-database.js';
export { BrokenExportError } from './transfer.errors.js';
