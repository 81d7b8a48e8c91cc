import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(1024 ** 2);
const BALLAST = 'ballast';

/** A disk of its own for a folder, small enough to be filled; where none can be made, the folder alone. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    readonly canBeFilled: boolean,
  ) {}

  static make(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder);
    try {
      const options = `size=${megabytes}m,mode=755`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'animal-store-chaos', folder], { stdio: 'ignore' });
      return new SmallDisk(folder, true);
    } catch {
      return new SmallDisk(folder, false);
    }
  }

  /** Leaves room for nothing. */
  fill(): void {
    const file = openSync(join(this.folder, BALLAST), 'w');
    try {
      // The last piece may fit in part.
      for (let size = CHUNK.length; size >= 512;) {
        try {
          writeSync(file, CHUNK, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size /= 2;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  clear(): void {
    rmSync(join(this.folder, BALLAST), { force: true });
  }

  /** It is gone as soon as the last process that uses it has ended. */
  remove(): void {
    if (this.canBeFilled) execFileSync('umount', ['--lazy', this.folder]);
  }
}

/** What is missing for a disk that is full, and how to get it; `undefined` where nothing is. */
export const WITHOUT_MOUNT =
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'a disk of its own needs root and Linux: run it as root';
