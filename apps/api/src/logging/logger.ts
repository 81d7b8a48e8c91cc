import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
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

/** How long a line may wait for others, and until how many bytes of them: a write of its own costs more than the line. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8 * 1024;

let standardOutput: DestinationStream | undefined;

/** Where the lines of the process go. Those that wait are written when it ends, unless it is killed. */
export function openLogOutput({ readable }: LogSettings): DestinationStream {
  if (readable)
    return pretty({ sync: true, ignore: 'pid,hostname', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  // Whoever has put something in the place of standard output wants the lines there.
  if (Object.hasOwn(process.stdout, 'write')) return process.stdout;
  return (standardOutput ??= destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: FLUSH_BYTES,
    periodicFlush: FLUSH_MS,
  }));
}

/**
 * The one logger of the process. Every line tells the request that it was written for, wherever in the code.
 * Header fields are never logged; should one slip into an object all the same, its credentials are cut out.
 */
export function createLogger(settings: LogSettings, output = openLogOutput(settings)): Logger {
  return pino(
    {
      level: settings.level,
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
    },
    output,
  );
}

/** For the lines of requests alone: nothing can slip into them, and to look for it would take longer than to write them. */
export function createAccessLogger({ level }: LogSettings, output: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, output);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
