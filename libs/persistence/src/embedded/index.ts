export { dumpEmbedded, restoreEmbedded } from './dump.js';
export { flush } from './dump.js';
