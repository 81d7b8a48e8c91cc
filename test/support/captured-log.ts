import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const { jest } = import.meta;

type Done = (error: Error | null, written?: number) => void;

/** What this process writes to its standard output as pino does: by the descriptor. */
export class CapturedLog {
  text = '';
  /** The error of each write, as of a full disk. */
  failure: Error | undefined;
  private readonly write = fs.write as (...args: unknown[]) => void;

  constructor() {
    jest.spyOn(fs, 'write').mockImplementation((...args: unknown[]) => {
      const [fd, data] = args;
      if (fd !== 1) {
        this.write(...args);
        return;
      }
      if (this.failure === undefined) this.text += String(data);
      setImmediate(args.at(-1) as Done, this.failure ?? null, Buffer.byteLength(String(data)));
    });
  }

  /** The lines so far, without those before the last call of {@link clear}. */
  async lines(): Promise<Record<string, unknown>[]> {
    // The server may log a request after its client has the response.
    await delay(50);
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async clear(): Promise<void> {
    await delay(50);
    this.text = '';
  }

  release(): void {
    jest.restoreAllMocks();
  }
}
