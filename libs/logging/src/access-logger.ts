import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/** Only for the log lines of requests. They cannot contain credentials, and a search for some would cost more than the line. */
export function createAccessLogger(level: string, output: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, output);
}
