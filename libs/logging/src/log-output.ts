import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { BufferedOutput } from './buffered-output.js';

export interface LogOutputSettings {
  /** For people in development; JSON otherwise. */
  readonly readable: boolean;
  /** How much may wait for whoever reads the log, in bytes. */
  readonly bufferBytes: number;
}

/** How long a line may wait for others, and until how many bytes of them: a write of its own costs more than the line. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8 * 1024;

/** How long the last lines may hold up the end of the process where nobody reads them, in milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Where the lines of the process go: standard output. They wait in memory while whoever reads it does not, up to a bound;
 * beyond it they are dropped and counted. Neither a request nor the end of the process waits for a reader.
 */
export class LogOutput {
  /** What loggers write to. */
  readonly stream: DestinationStream;
  private readonly buffered: BufferedOutput | undefined;
  private tellLoss: (lines: number) => void = () => undefined;

  constructor({ readable, bufferBytes }: LogOutputSettings) {
    // Whoever has put something in the place of standard output wants the lines there.
    this.buffered = Object.hasOwn(process.stdout, 'write') ? undefined : this.open(readable, bufferBytes);
    const raw: DestinationStream = this.buffered ?? process.stdout;
    this.stream = readable ? formatted(raw) : raw;
  }

  /** @param tell called once lines that were dropped are followed by others, with how many they were */
  onLoss(tell: (lines: number) => void): void {
    this.tellLoss = tell;
  }

  /** Resolves when what waits is written, or nobody has read it for long enough: what is left is then given up. */
  async flush(): Promise<void> {
    await this.buffered?.flush();
  }

  private open(readable: boolean, maxBytes: number): BufferedOutput {
    // People read a line when it happens.
    const [minBytes, waitMs] = readable ? [0, 0] : [FLUSH_BYTES, FLUSH_MS];
    // To ask for it makes a pipe one that never blocks.
    const { fd } = process.stdout;
    return new BufferedOutput(fd, { maxBytes, minBytes, waitMs, lastMs: LAST_LINES_MS }, (lines) => {
      this.tellLoss(lines);
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
