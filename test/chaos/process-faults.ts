import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'process-faults.c');

/** What is missing for a slow disk and a jumping clock, and how to install it; `undefined` if nothing is missing. */
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

/** Compiles the library that is loaded into the processes of a run. @returns the path of the library */
export function compileFaults(folder: string): string {
  const library = join(folder, 'faults.so');
  execFileSync('gcc', ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-o', library, SOURCE]);
  chmodSync(library, 0o755);
  return library;
}

/** Makes the disk slow for a process and its child processes, and sets their clock. */
export class ProcessFaults {
  private readonly file: string;
  private syncDelayMs = 0;
  private clockOffsetSeconds = 0;

  /** @param library the file that {@link compileFaults} made; without it, no fault has an effect */
  constructor(
    private readonly library: string | undefined,
    folder: string,
    name: string,
  ) {
    this.file = join(folder, `${name}.control`);
    writeFileSync(this.file, Buffer.alloc(16));
    // The database runs as another user.
    chmodSync(this.file, 0o644);
  }

  /** The environment variables that the process needs. */
  get environment(): Record<string, string> {
    return this.library === undefined ? {} : { LD_PRELOAD: this.library, CHAOS_CONTROL: this.file };
  }

  /** @param ms the additional duration of every `fsync` */
  slowDisk(ms: number): void {
    this.syncDelayMs = ms;
    this.write();
  }

  /** @param seconds the offset of the time of day; a negative offset is in the past */
  setClock(seconds: number): void {
    this.clockOffsetSeconds = seconds;
    this.write();
  }

  /** Writes in place, because the processes have mapped the file into their memory. */
  private write(): void {
    const bytes = Buffer.alloc(16);
    bytes.writeBigInt64LE(BigInt(this.syncDelayMs * 1_000), 0);
    bytes.writeBigInt64LE(BigInt(this.clockOffsetSeconds), 8);
    writeFileSync(this.file, bytes, { flag: 'r+' });
  }
}
