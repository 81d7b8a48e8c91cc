import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'faults.c');

/** What is missing for a slow disk and a clock that jumps, and how to get it; `undefined` where nothing is. */
export const WITHOUT_COMPILER = findCompiler();

function findCompiler(): string | undefined {
  if (process.platform !== 'linux') return 'these are made by LD_PRELOAD, which is a matter of Linux';
  try {
    execFileSync('gcc', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'gcc is not installed. On Debian: apt-get install gcc libc6-dev';
  }
}

/** Compiles what is loaded into the processes of a run. @returns its file */
export function compileFaults(folder: string): string {
  const library = join(folder, 'faults.so');
  execFileSync('gcc', ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-o', library, SOURCE]);
  chmodSync(library, 0o755);
  return library;
}

/** Makes the disk slow for a process and those that it starts, and sets their clock. */
export class ProcessFaults {
  private readonly file: string;
  private syncDelayMs = 0;
  private clockOffsetSeconds = 0;

  /** @param library that {@link compileFaults} made; without it nothing has an effect */
  constructor(
    private readonly library: string | undefined,
    folder: string,
    name: string,
  ) {
    this.file = join(folder, `${name}.control`);
    writeFileSync(this.file, Buffer.alloc(16));
    // The database is another user.
    chmodSync(this.file, 0o644);
  }

  /** What the process needs in its environment. */
  get environment(): Record<string, string> {
    return this.library === undefined ? {} : { LD_PRELOAD: this.library, CHAOS_CONTROL: this.file };
  }

  /** @param ms how long every `fsync` takes longer */
  slowDisk(ms: number): void {
    this.syncDelayMs = ms;
    this.write();
  }

  /** @param seconds how far the clock of the day is off: negative ones are in the past */
  setClock(seconds: number): void {
    this.clockOffsetSeconds = seconds;
    this.write();
  }

  /** In place: the processes have the file in their memory. */
  private write(): void {
    const bytes = Buffer.alloc(16);
    bytes.writeBigInt64LE(BigInt(this.syncDelayMs * 1_000), 0);
    bytes.writeBigInt64LE(BigInt(this.clockOffsetSeconds), 8);
    writeFileSync(this.file, bytes, { flag: 'r+' });
  }
}
