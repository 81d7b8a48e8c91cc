import type { Log } from './log.js';

/** The level to which the signal switches. */
const DETAILED = 'debug';

/**
 * Switches the level of the log to `debug` at `SIGUSR2`, and back at the next `SIGUSR2`. Node uses `SIGUSR1` for the debugger.
 * Windows has no such signals.
 */
export function switchLevelOnSignal(log: Log): void {
  const usual = log.level === DETAILED || log.level === 'trace' ? 'info' : log.level;
  process.on('SIGUSR2', () => {
    const before = log.level;
    const after = before === DETAILED || before === 'trace' ? usual : DETAILED;
    // Logged at the lower of the two levels, so that the line is always written.
    log.level = DETAILED;
    log.logger.info({ context: 'Log', before, after }, `The level of the log is ${after} now`);
    log.level = after;
  });
}
