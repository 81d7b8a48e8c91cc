export { dumpEmbedded, flush, restoreEmbedded } from './dump.js';
