export { Log, type LogSettings } from './log.js';
export { LoggingModule } from './logging.module.js';
