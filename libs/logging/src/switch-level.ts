import type { Log } from './log.js';

/** What an operator wants to see for a while. */
const DETAILED = 'debug';

/**
 * Lets the log tell all at `SIGUSR2`, and what it told before at the next one. `SIGUSR1` is the debugger's, by Node.
 * Windows has no such signals.
 */
export function switchLevelOnSignal(log: Log): void {
  const usual = log.level === DETAILED || log.level === 'trace' ? 'info' : log.level;
  process.on('SIGUSR2', () => {
    const before = log.level;
    const after = before === DETAILED || before === 'trace' ? usual : DETAILED;
    // Told at the more talkative of the two, so that it is seen.
    log.level = DETAILED;
    log.logger.info({ context: 'Log', before, after }, `The level of the log is ${after} now`);
    log.level = after;
  });
}
