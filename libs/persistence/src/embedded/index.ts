export { dumpEmbedded, restoreEmbedded } from './dump.js';
