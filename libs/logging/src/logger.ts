import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { requestContext } from '@animal-store/http';

/** What Nest tells of its own assembly at every start: for who looks for it with `LOG_LEVEL=debug`. */
const ASSEMBLY = new Set<unknown>([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** What they tell at `error` is thrown as well: whoever starts the application tells it, in words of his own. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

const INFO = 30;
const ERROR = 50;

/**
 * The one logger of the process. Every line tells the request that it was written for, wherever in the code.
 * Header fields are never logged; should one slip into an object all the same, its credentials are cut out.
 */
export function createLogger(level: string, output: DestinationStream): Logger {
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method, lineLevel) {
          const [first] = args as unknown[];
          const context = isObject(first) ? first['context'] : undefined;
          const leftOut = (lineLevel === INFO && ASSEMBLY.has(context)) || (lineLevel === ERROR && THROWN.has(context));
          if (!leftOut || this.isLevelEnabled('debug')) method.apply(this, args);
        },
      },
      timestamp: stdTimeFunctions.isoTime,
      // A copy: pino adds the fields of the line to it.
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

/** For the lines of requests alone: nothing can slip into them, and to look for it would take longer than to write them. */
export function createAccessLogger(level: string, output: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, output);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
