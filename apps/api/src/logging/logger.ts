import { pino, stdTimeFunctions, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { requestContext } from '../http/request-context.js';

export interface LogSettings {
  readonly level: string;
  /** For people in development; JSON otherwise. */
  readonly readable: boolean;
}

/** What Nest tells of its own assembly at every start: for who looks for it with `LOG_LEVEL=debug`. */
const ASSEMBLY = new Set<unknown>([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

const INFO = 30;

/**
 * The one logger of the process. Every line tells the request that it was written for, wherever in the code.
 * Header fields are never logged; should one slip into an object all the same, its credentials are cut out.
 */
export function createLogger({ level, readable }: LogSettings): Logger {
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, method, lineLevel) {
        const [first] = args as unknown[];
        const assembly = lineLevel === INFO && isObject(first) && ASSEMBLY.has(first['context']);
        if (!assembly || this.isLevelEnabled('debug')) method.apply(this, args);
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
  };
  return readable
    ? pino(options, pretty({ sync: true, ignore: 'pid,hostname', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' }))
    : pino(options);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
