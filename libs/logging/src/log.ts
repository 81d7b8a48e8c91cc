import type { LoggerService } from '@nestjs/common';
import { pino, stdTimeFunctions, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { LogOutput } from './log-output.js';
import { NestLogger } from './nest-logger.js';

interface LogSettings {
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;
  /** Fields of every line, such as the id of the current request; `undefined` outside a request. */
  readonly currentFields?: () => object | undefined;
}

/** Header fields hold credentials. No line has them; what was logged by mistake leaves them out. */
const WITHOUT_HEADERS = Object.fromEntries(
  ['authorization', 'headers', 'req', 'request'].map((name) => [name, () => '[left out]']),
);

/** The log of the process, on its standard output. */
export class Log {
  readonly logger: Logger;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;
  private readonly output: LogOutput;

  constructor({ level, isReadable, currentFields = () => undefined }: LogSettings) {
    this.isReadable = isReadable;
    this.output = new LogOutput((lost) => {
      this.logger.warn({ lost }, 'Lines of this log were lost: nobody read it, or it could not be written');
    });
    this.logger = pino(
      {
        level,
        formatters: { level: (label) => ({ level: label }) },
        timestamp: stdTimeFunctions.isoTime,
        // A copy, because pino adds the fields of the line to it.
        mixin: () => ({ ...currentFields() }),
        serializers: WITHOUT_HEADERS,
      },
      isReadable ? { write: this.writeReadable } : this.output,
    );
  }

  /** The number of lines that could not be written. */
  get lostLines(): number {
    return this.output.lost;
  }

  /** Writes a text as it is, below the lines that were logged before. */
  print(text: string): void {
    this.output.write(`${text}\n`);
  }

  /** The logger for Nest's own lines and those of the modules. */
  forNest(): LoggerService {
    return new NestLogger(this.logger);
  }

  private readonly format = prettyFactory({
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });

  private readonly writeReadable = (line: string): void => {
    this.output.write(this.format(line));
  };
}
