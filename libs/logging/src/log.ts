import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

interface LogSettings {
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** For people; otherwise lines are JSON. */
  readonly isPretty: boolean;
  /** Fields of every line, such as the id of the current request; `undefined` outside a request. */
  readonly currentFields?: () => object | undefined;
}

/** The number of bytes that may wait for the reader of a pipe or for a disk. Beyond it, lines are lost. */
const MAX_WAITING = 1024 ** 2;

/** Header fields hold credentials, so a line leaves them out if they were logged by mistake. */
const WITHOUT_HEADERS = Object.fromEntries(
  ['authorization', 'headers', 'req', 'request'].map((name) => [name, () => '[left out]']),
);

/**
 * The log of the process, on its standard output. No caller waits for it: lines for which there is no room, because nobody
 * reads a pipe or a disk is full, are lost and counted.
 */
export class Log {
  readonly logger: Logger;
  /** The number of lines that were lost, and of attempts to write that failed: it grows while a disk is full. */
  lostLines = 0;
  private isFailing = false;
  private isExiting = false;

  constructor({ level, isPretty, currentFields = () => undefined }: LogSettings) {
    const output = destination({ sync: false, maxLength: MAX_WAITING, retryEAGAIN: () => !this.isExiting });
    const format = prettyFactory({ ignore: 'pid,hostname', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
    this.logger = pino(
      {
        level,
        formatters: { level: (label) => ({ level: label }) },
        timestamp: stdTimeFunctions.isoTime,
        // A copy, because pino adds the fields of the line to it.
        mixin: () => ({ ...currentFields() }),
        serializers: WITHOUT_HEADERS,
      },
      isPretty ? { write: (line: string) => output.write(format(line)) } : output,
    );
    output
      .on('drop', () => (this.lostLines += 1))
      .on('error', () => {
        this.isFailing = true;
        this.lostLines += 1;
      })
      .on('write', () => (this.isFailing = false));
    // Node makes a pipe non-blocking when it makes this stream. A write that waits for a reader would block a thread that the
    // process waits for when it exits.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined);
    // Writes what there is room for. Pino's own handler, which runs next, would try for ever: it finds the output closed.
    process.prependOnceListener('exit', () => {
      this.isExiting = true;
      try {
        if (!this.isFailing) output.flushSync();
      } catch {
        // Nobody reads it.
      }
      output.destroy();
    });
  }

  forNest(): LoggerService {
    return {
      fatal: this.write.bind(this, 'fatal'),
      error: this.write.bind(this, 'error'),
      warn: this.write.bind(this, 'warn'),
      log: this.write.bind(this, 'info'),
      debug: this.write.bind(this, 'debug'),
      verbose: this.write.bind(this, 'trace'),
    };
  }

  /** @param given from Nest's `Logger`: texts, objects with fields, errors or their stacks, and last perhaps the context */
  private write(level: Level, ...given: unknown[]): void {
    const last = given.at(-1);
    const context = given.length > 1 && typeof last === 'string' && !isStack(last) ? given.pop() : undefined;
    if (level === 'error' && THROWN.includes(context)) return;
    const fields: Record<string, unknown> = { context };
    const texts: unknown[] = [];
    for (const part of given) {
      if (part instanceof Error) fields['err'] = part;
      else if (typeof part === 'object') Object.assign(fields, part);
      else if (typeof part === 'string' && isStack(part)) fields['err'] = { message: texts[0], stack: part };
      else if (part !== undefined) texts.push(part);
    }
    this.logger[level === 'info' && NEST_START.includes(context) ? 'debug' : level](
      fields,
      texts.join(' ') || undefined,
    );
  }
}

function isStack(text: string): boolean {
  return text.includes('\n    at ');
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The contexts of Nest's lines about its start: several for each route. They are lines at `debug`. */
const NEST_START: unknown[] = ['InstanceLoader', 'RouterExplorer', 'RoutesResolver', 'NestFactory', 'NestApplication'];

/** The contexts whose errors are also thrown: the program that starts the application reports them. */
const THROWN: unknown[] = ['ExceptionHandler', 'NestApplication'];
