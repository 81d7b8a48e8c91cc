import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { BufferedOutput } from './buffered-output.js';

export interface LogOutputSettings {
  /** Whether lines are formatted for people; otherwise they are JSON. */
  readonly readable: boolean;
  /** The maximum size of the buffer, in bytes. */
  readonly bufferBytes: number;
}

/** How long lines are collected for one write, and up to which size: a write costs more than making a line. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8 * 1024;

/** How long the end of the process may wait until the last lines are read, in milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Writes the log of the process to standard output. While the reader is slow, lines are buffered up to a maximum; more lines are
 * lost and counted. Requests never wait for the reader, and the end of the process waits for at most half a second.
 */
export class LogOutput {
  /** The stream for loggers. */
  readonly stream: DestinationStream;
  private readonly buffered: BufferedOutput | undefined;
  private lossListener: (lines: number) => void = () => undefined;

  constructor({ readable, bufferBytes }: LogOutputSettings) {
    // If code has replaced `process.stdout.write`, lines are written with it.
    this.buffered = Object.hasOwn(process.stdout, 'write') ? undefined : this.open(readable, bufferBytes);
    const raw: DestinationStream = this.buffered ?? process.stdout;
    this.stream = readable ? formatted(raw) : raw;
  }

  /** @param listener called with the number of lost lines, when lines can be written again */
  onLoss(listener: (lines: number) => void): void {
    this.lossListener = listener;
  }

  /** Resolves when the buffer is written, or after half a second; the rest is then discarded. */
  async flush(): Promise<void> {
    await this.buffered?.flush();
  }

  private open(readable: boolean, maxBytes: number): BufferedOutput {
    // Lines for people are written at once.
    const [minBytes, waitMs] = readable ? [0, 0] : [FLUSH_BYTES, FLUSH_MS];
    // Access to `process.stdout` makes a pipe non-blocking.
    const { fd } = process.stdout;
    return new BufferedOutput(fd, { maxBytes, minBytes, waitMs, lastMs: LAST_LINES_MS }, (lines) => {
      this.lossListener(lines);
    });
  }
}

function formatted(raw: DestinationStream): DestinationStream {
  const format = prettyFactory({ ignore: 'pid,hostname', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return {
    write: (line) => {
      raw.write(format(line));
    },
  };
}
