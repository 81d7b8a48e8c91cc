import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { requestContext } from '@animal-store/http';
import { isForDebugging } from './nest-lines.js';

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
          if (!isForDebugging(args, lineLevel) || this.isLevelEnabled('debug')) method.apply(this, args);
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
