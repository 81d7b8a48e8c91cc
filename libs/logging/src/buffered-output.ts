import { write, writeSync } from 'node:fs';

export interface BufferedOutputSettings {
  /** The maximum size of the buffer, in bytes. Lines that do not fit are lost. */
  readonly maxBytes: number;
  /** The size from which the buffer is written at once, in bytes. */
  readonly minBytes: number;
  /** How long a smaller buffer waits for more lines, in milliseconds. */
  readonly waitMs: number;
  /** How long the end of the process may wait until the last lines are read, in milliseconds. */
  readonly lastMs: number;
}

/** The pauses before a write is repeated, because the reader is slow, in milliseconds. They double up to the second value. */
const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 100;

/** The size of one write, in bytes: a quarter of the capacity of a pipe, so that the reader can start before the pipe is full. */
const MAX_WRITE = 16 * 1024;

const RETRY_AT_THE_END_MS = 10;

/**
 * A buffer of lines for a non-blocking file descriptor. No caller waits: lines that do not fit into the buffer are lost and counted.
 * After EPIPE, when the reader is gone, all lines are discarded. When the process exits, the rest of the buffer is written.
 */
export class BufferedOutput {
  private text = '';
  private chunk = Buffer.alloc(0);
  /** The size of `text` and `chunk`. */
  private bytes = 0;
  private lost = 0;
  private isWriting = false;
  private isBroken = false;
  private isGivenUp = false;
  private retryMs = FIRST_RETRY_MS;
  private timer: NodeJS.Timeout | undefined;
  private onIdle: (() => void)[] = [];

  /** @param onLoss called with the number of lost lines, when lines can be written again */
  constructor(
    private readonly fd: number,
    private readonly settings: BufferedOutputSettings,
    private readonly onLoss: (lines: number) => void,
  ) {}

  write(line: string): void {
    if (this.isBroken) return;
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.settings.maxBytes) {
      this.lost += 1;
      return;
    }
    if (this.bytes === 0) process.once('exit', this.onExit);
    this.text += line;
    this.bytes += bytes;
    this.writeIfDue();
  }

  /** Resolves when the buffer is empty, or after `lastMs`; the rest is then discarded. */
  async flush(): Promise<void> {
    if (this.bytes === 0) return;
    const idle = new Promise<boolean>((resolve) => {
      const timeout = setTimeout(resolve, this.settings.lastMs, false);
      this.onIdle.push(() => {
        clearTimeout(timeout);
        resolve(true);
      });
    });
    this.writeIfDue();
    this.isGivenUp = !(await idle);
  }

  /** Writes the buffer. Lines that are not read within `lastMs` are discarded. */
  flushSync(): void {
    const until = this.isGivenUp ? 0 : performance.now() + this.settings.lastMs;
    const text = Buffer.from(this.text);
    // The chunk of a write in progress may already be written, so it is not written again.
    const data = this.isWriting ? text : Buffer.concat([this.chunk, text]);
    this.text = '';
    if (!this.isWriting) this.chunk = Buffer.alloc(0);
    this.bytes = this.chunk.length;
    if (this.bytes === 0) process.off('exit', this.onExit);
    for (let written = 0; written < data.length;) {
      try {
        written += writeSync(this.fd, data, written);
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_AT_THE_END_MS);
      }
    }
  }

  private readonly onExit = (): void => {
    this.flushSync();
  };

  /** Starts a write if it is due. */
  private writeIfDue(): void {
    if (this.isWriting || this.chunk.length > 0) return;
    if (this.text === '') {
      process.off('exit', this.onExit);
      for (const resolve of this.onIdle.splice(0)) resolve();
    } else if (this.bytes >= this.settings.minBytes || this.onIdle.length > 0) {
      this.begin();
    } else {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        if (!this.isWriting && this.chunk.length === 0 && this.text !== '') this.begin();
      }, this.settings.waitMs).unref();
    }
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.chunk = Buffer.from(this.text);
    this.text = '';
    this.writeChunk();
  }

  private writeChunk(): void {
    this.isWriting = true;
    write(this.fd, this.chunk, 0, Math.min(this.chunk.length, MAX_WRITE), (error, written) => {
      this.isWriting = false;
      if (error === null) this.wrote(written);
      else this.failed(error);
    });
  }

  private wrote(bytes: number): void {
    this.retryMs = FIRST_RETRY_MS;
    this.bytes -= bytes;
    this.chunk = this.chunk.subarray(bytes);
    if (this.chunk.length > 0) {
      this.writeChunk();
      return;
    }
    if (this.lost > 0) {
      const { lost } = this;
      this.lost = 0;
      this.onLoss(lost);
    }
    this.writeIfDue();
  }

  private failed(error: NodeJS.ErrnoException): void {
    if (isBusy(error)) {
      setTimeout(() => {
        if (!this.isWriting && this.chunk.length > 0) this.writeChunk();
      }, this.retryMs).unref();
      this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
      return;
    }
    this.lost += linesIn(this.chunk);
    this.bytes -= this.chunk.length;
    this.chunk = Buffer.alloc(0);
    if (error.code === 'EPIPE') {
      this.isBroken = true;
      this.text = '';
      this.bytes = 0;
    }
    this.writeIfDue();
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes(String((error as NodeJS.ErrnoException).code));
}

function linesIn(chunk: Buffer): number {
  return chunk.toString().split('\n').length - 1;
}
