export { Log } from './log.js';
