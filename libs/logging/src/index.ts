export { Log, LoggingModule } from './log.js';
