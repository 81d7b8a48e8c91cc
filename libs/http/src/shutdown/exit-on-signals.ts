import { constants } from 'node:os';
import { Logger, type INestApplication } from '@nestjs/common';
import { shutDown, type ShutdownSettings } from './shutdown-order.js';

/** npm repeats a signal that the terminal has already sent to its child. A second signal within this time is ignored. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Shuts the application down at SIGTERM or SIGINT, and exits with 0, or with 1 if something could not be closed. A
 * second signal exits immediately with 128 plus its number, the usual exit code for a signal.
 */
export function exitOnSignals(app: INestApplication, settings: ShutdownSettings): void {
  const logger = new Logger('Shutdown');
  let first: number | undefined;
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (first === undefined) {
      first = performance.now();
      void exitAfter(shutDown(app, settings), logger);
    } else if (performance.now() - first > SAME_SIGNAL_MS) {
      logger.warn(`${signal} again: exiting at once`);
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

async function exitAfter(shutdown: Promise<void>, logger: Logger): Promise<void> {
  try {
    await shutdown;
  } catch (error) {
    logger.error({ err: error }, 'The shutdown failed');
    process.exit(1);
  }
  process.exit(0);
}
