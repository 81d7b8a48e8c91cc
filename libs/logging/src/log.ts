import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { PinoLogger, Logger as NestLogger } from 'nestjs-pino';
import { pino, stdTimeFunctions, type Logger } from 'pino';
import { requestContext } from '@animal-store/http';
import { LogOutput } from './log-output.js';

interface LogSettings {
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;
}

/** The contexts of Nest's lines about its start. They are logged only at `LOG_LEVEL=debug`. */
const NEST_START = new Set<unknown>([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** The contexts whose errors are also thrown. The program that starts the application reports these errors. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

const INFO = 30;
const ERROR = 50;

/** The level as a word, and the time as ISO 8601 in UTC. */
const FORMAT = {
  formatters: { level: (label: string) => ({ level: label }) },
  timestamp: stdTimeFunctions.isoTime,
};

/** The log of the process. */
export class Log {
  readonly output: LogOutput;
  /** Every line contains the id of the current request. */
  readonly logger: Logger;
  /** Only for the log lines of requests. They cannot contain credentials, and a search for some would cost more than the line. */
  readonly accessLogger: Logger;
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly isReadable: boolean;

  constructor({ level, isReadable }: LogSettings) {
    this.isReadable = isReadable;
    this.output = new LogOutput(isReadable);
    this.logger = createLogger(level, this.output);
    this.accessLogger = pino({ level, ...FORMAT }, this.output);
    this.output.onLoss((lost) => {
      this.logger.warn({ lost }, 'Lines of this log were lost: nobody read it');
    });
  }

  /** The logger for Nest's own lines, before the modules are loaded. */
  forNest(): NestLogger {
    const settings = { pinoHttp: { logger: this.logger } };
    return new NestLogger(new PinoLogger(settings), settings);
  }
}

/** Header fields are not logged. If an object with header fields is logged by mistake, its credentials are removed. */
function createLogger(level: string, output: LogOutput): Logger {
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method, lineLevel) {
          if (!isForDebugging(args, lineLevel) || this.isLevelEnabled('debug')) method.apply(this, args);
        },
      },
      ...FORMAT,
      // A copy, because pino adds the fields of the line to it.
      mixin: () => ({ ...requestContext.getStore() }),
      redact: ['authorization', 'Authorization'].flatMap((name) => [
        name,
        `*.${name}`,
        `*.headers.${name}`,
        `*.*.headers.${name}`,
      ]),
    },
    output,
  );
}

/** Whether a line of Nest is logged only at `LOG_LEVEL=debug`. */
function isForDebugging([first]: readonly unknown[], level: number): boolean {
  const context = isObject(first) ? first['context'] : undefined;
  return (level === INFO && NEST_START.has(context)) || (level === ERROR && THROWN.has(context));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Provides the log of the process, and writes the last lines at the shutdown. */
@Module({})
export class LoggingModule implements OnApplicationShutdown {
  constructor(private readonly log: Log) {}

  static forRoot(log: Log): DynamicModule {
    return {
      module: LoggingModule,
      providers: [{ provide: Log, useValue: log }],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.output.flush();
  }
}
