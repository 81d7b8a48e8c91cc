import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The contexts of Nest's lines about its start: several for each route. They are lines at `debug`. */
const NEST_START = new Set<unknown>([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** The contexts whose errors are also thrown: the program that starts the application reports them. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

/** What Nest's `Logger` writes to: a message or an object with fields, a text or a stack, and the context as the last one. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    if (!THROWN.has(more.at(-1))) this.write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  log(message: unknown, ...more: unknown[]): void {
    this.write(NEST_START.has(more.at(-1)) ? 'debug' : 'info', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }

  private write(level: Level, message: unknown, more: readonly unknown[]): void {
    const context = more.at(-1);
    const text = more.length > 1 ? more[0] : undefined;
    if (message instanceof Error) this.logger[level]({ context, err: message });
    else if (typeof message === 'object') this.logger[level]({ context, ...message }, text as string | undefined);
    // Nest's own filters and modules pass the stack of an error as a text.
    else if (text !== undefined) this.logger[level]({ context, err: { message, stack: text } }, message as string);
    else this.logger[level]({ context }, message as string);
  }
}
