import type { DestinationStream } from 'pino';

/** The number of characters that may wait for the reader of a pipe. Beyond it, lines are lost. */
const MAX_WAITING = 1024 ** 2;

/**
 * Writes the log to the standard output of the process, by Node's own stream. No caller waits for the reader: lines for which a
 * pipe or a disk has no room are lost and counted, and so are those that nobody can read any more.
 *
 * It is not `pino.destination`: on its way out, the process would try for ever to write its last lines to a pipe without a reader
 * or to a full disk (sonic-boom 4, `flushSync`).
 */
export class LogOutput implements DestinationStream {
  private lines: string[] = [];
  private lostLines = 0;
  private told = 0;

  /** @param onLoss called with the number of lines that were lost lately, once when lines can be written again */
  constructor(private readonly onLoss: (lines: number) => void) {
    // Without a listener, a reader that is gone (EPIPE) would end the process. The lines are counted by `send`.
    process.stdout.off('error', ignore).on('error', ignore);
  }

  /** The number of lines since the start that could not be written. */
  get lost(): number {
    return this.lostLines;
  }

  /** Writes at the end of the turn of the event loop: a write for each line would cost more than making the line. */
  write(line: string): void {
    if (process.stdout.writableLength >= MAX_WAITING) {
      this.lostLines += 1;
    } else if (this.lines.push(line) === 1) {
      setImmediate(this.send);
      process.once('exit', this.send);
    }
  }

  /** A pipe takes at once what it has room for: also while the process exits. */
  private readonly send = (): void => {
    process.off('exit', this.send);
    const { lines } = this;
    if (lines.length === 0) return;
    this.lines = [];
    process.stdout.write(lines.join(''), (error) => {
      if (error) this.lostLines += lines.length;
      else this.tellLoss();
    });
  };

  private tellLoss(): void {
    const untold = this.lostLines - this.told;
    // While much still waits, more may be lost: it is told when that is over.
    if (untold === 0 || process.stdout.writableLength > 0) return;
    this.told = this.lostLines;
    this.onLoss(untold);
  }
}

function ignore(): void {
  // See above.
}
