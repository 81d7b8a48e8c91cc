import { PinoLogger, Logger as NestLogger } from 'nestjs-pino';
import type { Logger } from 'pino';
import { LogOutput } from './log-output.js';
import { createAccessLogger, createLogger } from './logger.js';

export interface LogSettings {
  /** How much of it may wait for its reader, in bytes. */
  readonly bufferBytes: number;
  /** As pino names it, or `silent`. */
  readonly level: string;
  /** Whether people read it, and no program. */
  readonly isReadable: boolean;
}

/** The log of the process. */
export class Log {
  readonly output: LogOutput;
  readonly logger: Logger;
  /** For the lines of requests alone. */
  readonly accessLogger: Logger;
  /** Whether people read it, and no program. */
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

  /** Of all lines from now on. */
  set level(level: string) {
    for (const logger of [this.logger, this.accessLogger]) logger.level = level;
  }

  /** What Nest tells through it, from its first line on. */
  forNest(): NestLogger {
    const settings = { pinoHttp: { logger: this.logger } };
    return new NestLogger(new PinoLogger(settings), settings);
  }
}
