import type { Logger } from 'pino';
import type { Environment } from '../environment.js';
import { LogOutput } from './log-output.js';
import { createAccessLogger, createLogger } from './logger.js';

/** The log of the process. */
export interface Log {
  readonly logger: Logger;
  /** For the lines of requests alone. */
  readonly accessLogger: Logger;
  readonly output: LogOutput;
}

export function openLog({ LOG_BUFFER_LIMIT, LOG_LEVEL, NODE_ENV }: Environment): Log {
  const output = new LogOutput({ readable: NODE_ENV !== 'production', bufferBytes: LOG_BUFFER_LIMIT });
  const logger = createLogger(LOG_LEVEL, output.stream);
  output.onLoss((lost) => {
    logger.warn({ lost }, 'Lines of this log were lost: nobody read it');
  });
  return { logger, accessLogger: createAccessLogger(LOG_LEVEL, output.stream), output };
}
