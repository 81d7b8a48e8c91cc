import { PinoLogger, Logger as NestLogger } from 'nestjs-pino';
import type { Logger } from 'pino';
import { createAccessLogger } from './access-logger.js';
import { LogOutput } from './log-output.js';
import { createLogger } from './logger.js';

export interface LogSettings {
  /** The maximum size of the buffer, in bytes. */
  readonly bufferBytes: number;
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;
}

/** The log of the process. */
export class Log {
  readonly output: LogOutput;
  readonly logger: Logger;
  /** Only for the log lines of requests. */
  readonly accessLogger: Logger;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;

  constructor({ bufferBytes, level, isReadable }: LogSettings) {
    this.isReadable = isReadable;
    this.output = new LogOutput({ readable: isReadable, bufferBytes });
    this.logger = createLogger(level, this.output.stream);
    this.accessLogger = createAccessLogger(level, this.output.stream);
    this.output.onLoss((lost) => {
      this.logger.warn({ lost }, 'Lines of this log were lost: nobody read it');
    });
  }

  get level(): string {
    return this.logger.level;
  }

  /** Applies to all later lines. */
  set level(level: string) {
    for (const logger of [this.logger, this.accessLogger]) logger.level = level;
  }

  /** The logger for Nest's own lines, before the modules are loaded. */
  forNest(): NestLogger {
    const settings = { pinoHttp: { logger: this.logger } };
    return new NestLogger(new PinoLogger(settings), settings);
  }
}
