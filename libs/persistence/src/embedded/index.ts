export { dumpEmbedded, restoreEmbedded } from './dump.js';
export { flush } from './flush.js';
