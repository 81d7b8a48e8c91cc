import { write, writeSync } from 'node:fs';

export interface BufferedOutputSettings {
  /** How much may wait, in bytes; what is more is lost, line by line. */
  readonly maxBytes: number;
  /** From how many bytes on they are written at once. */
  readonly minBytes: number;
  /** How long fewer of them wait for others, in milliseconds. */
  readonly waitMs: number;
  /** For how long the last ones may hold up the end of the process where nobody reads them, in milliseconds. */
  readonly lastMs: number;
}

/** After how long a reader who was not fast enough is tried again, in milliseconds: twice as long each time, up to the second. */
const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 100;

/** What is written at once, in bytes: a quarter of what a pipe holds, so that its reader is not late before it begins. */
const MAX_WRITE = 16 * 1024;

const RETRY_AT_THE_END_MS = 10;

/**
 * Lines on their way to a file descriptor that does not block. Nobody waits for it: lines that cannot be written are lost and
 * counted, and where nobody will ever read on (EPIPE) it takes no more. What waits when the process exits is written then.
 */
export class BufferedOutput {
  private text = '';
  private chunk = Buffer.alloc(0);
  /** Of both. */
  private bytes = 0;
  private lost = 0;
  private isWriting = false;
  private isBroken = false;
  private isGivenUp = false;
  private retryMs = FIRST_RETRY_MS;
  private timer: NodeJS.Timeout | undefined;
  private onIdle: (() => void)[] = [];

  /** @param tellLoss called once a line was written behind lines that were lost, with how many they were */
  constructor(
    private readonly fd: number,
    private readonly settings: BufferedOutputSettings,
    private readonly tellLoss: (lines: number) => void,
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
    this.goOn();
  }

  /** Resolves when nothing waits any more, or nobody has read it for long enough: what is left is then given up. */
  async flush(): Promise<void> {
    if (this.bytes === 0) return;
    const idle = new Promise<boolean>((resolve) => {
      const tooLate = setTimeout(resolve, this.settings.lastMs, false);
      this.onIdle.push(() => {
        clearTimeout(tooLate);
        resolve(true);
      });
    });
    this.goOn();
    this.isGivenUp = !(await idle);
  }

  /** Writes what waits; what is not read in time is dropped. */
  flushSync(): void {
    const until = this.isGivenUp ? 0 : performance.now() + this.settings.lastMs;
    const text = Buffer.from(this.text);
    // A part that is being written may be out already.
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

  /** Begins to write where that is due. */
  private goOn(): void {
    if (this.isWriting || this.chunk.length > 0) return;
    if (this.text === '') {
      process.off('exit', this.onExit);
      for (const told of this.onIdle.splice(0)) told();
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
      this.tellLoss(lost);
    }
    this.goOn();
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
    this.goOn();
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes(String((error as NodeJS.ErrnoException).code));
}

function linesIn(chunk: Buffer): number {
  return chunk.toString().split('\n').length - 1;
}
