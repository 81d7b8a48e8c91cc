import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** Lines are collected up to this many characters, and for so long: a write costs more than making a line. */
const FLUSH_LENGTH = 8 * 1024;
const FLUSH_MS = 10;

/** The number of characters that may wait for the reader. Beyond it, lines are lost. */
const MAX_WAITING = 1024 ** 2;

/** How long the end of the process may wait until the last lines are read, in milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Writes the log of the process to its standard output. No caller waits for the reader: what a pipe cannot take waits in the buffer
 * of Node's stream, up to a maximum; more lines are lost and counted. Lines without a reader or without room on the disk are lost.
 */
export class LogOutput implements DestinationStream {
  private readonly format: (line: string) => string;
  private lines = '';
  private timer: NodeJS.Timeout | undefined;
  private lost = 0;
  private lossListener: (lines: number) => void = () => undefined;

  /** @param readable whether lines are formatted for people; otherwise they are JSON */
  constructor(readable: boolean) {
    this.format = readable
      ? prettyFactory({ ignore: 'pid,hostname', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' })
      : (line) => line;
    process.stdout.off('error', ignore).on('error', ignore);
  }

  write(line: string): void {
    if (process.stdout.writableLength >= MAX_WAITING) {
      if (this.lost === 0) process.stdout.once('drain', this.tellLoss);
      this.lost += 1;
      return;
    }
    if (this.lines === '') process.once('exit', this.send);
    this.lines += this.format(line);
    if (this.lines.length >= FLUSH_LENGTH) this.send();
    else this.timer ??= setTimeout(this.send, FLUSH_MS).unref();
  }

  /** @param listener called with the number of lost lines, when lines can be written again */
  onLoss(listener: (lines: number) => void): void {
    this.lossListener = listener;
  }

  /** Resolves when all lines are written, or after half a second. */
  async flush(): Promise<void> {
    this.send();
    if (process.stdout.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_LINES_MS);
      process.stdout.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Hands the collected lines to the stream, which writes at once what a pipe can take: also while the process exits. */
  private readonly send = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    process.off('exit', this.send);
    const { lines } = this;
    this.lines = '';
    if (lines !== '') process.stdout.write(lines);
  };

  private readonly tellLoss = (): void => {
    const { lost } = this;
    this.lost = 0;
    this.lossListener(lost);
  };
}

function ignore(): void {
  // Without a listener, a reader that is gone (EPIPE) would end the process.
}
