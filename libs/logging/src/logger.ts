import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { requestContext } from '@animal-store/http';

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

/**
 * The logger of the process. Every line contains the id of the current request. Header fields are not logged. If an object with
 * header fields is logged by mistake, its credentials are removed.
 */
export function createLogger(level: string, output: DestinationStream): Logger {
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method, lineLevel) {
          const [first] = args as unknown[];
          const context = isObject(first) ? first['context'] : undefined;
          const leftOut =
            (lineLevel === INFO && NEST_START.has(context)) || (lineLevel === ERROR && THROWN.has(context));
          if (!leftOut || this.isLevelEnabled('debug')) method.apply(this, args);
        },
      },
      timestamp: stdTimeFunctions.isoTime,
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

/** Only for the log lines of requests. They cannot contain credentials, and a search for some would cost more than the line. */
export function createAccessLogger(level: string, output: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, output);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
