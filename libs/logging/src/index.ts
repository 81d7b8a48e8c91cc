export { Log, switchLevelOnSignal, type LogSettings } from './log.js';
export { LoggingModule } from './logging.module.js';
