export { Log, type LogSettings } from './log.js';
export { LoggingModule } from './logging.module.js';
export { switchLevelOnSignal } from './switch-level.js';
