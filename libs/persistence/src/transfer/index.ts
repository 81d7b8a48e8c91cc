export { flush } from '../embedded/flush.js';
export { copyEmbedded, type CopySummary } from './copy-embedded.js';
export type { Progress, TransferSummary } from './export-format.js';
export { checkExport } from './check-export.js';
export { exportData, type ExportSummary } from './export-data.js';
export { importData } from './import-data.js';
export type { TransferPlace } from './transfer-database.js';
export { BrokenExportError } from './broken-export.error.js';
