import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(1024 ** 2);
const BALLAST = 'ballast';

/** A separate disk for a folder, small enough to fill. If no disk can be made, only the folder is used. */
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

  /** Fills the disk completely. */
  fill(): void {
    const file = openSync(join(this.folder, BALLAST), 'w');
    try {
      // Only a part of the last chunk may fit.
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

  /** The disk disappears as soon as the last process that uses it has ended. */
  remove(): void {
    if (this.canBeFilled) execFileSync('umount', ['--lazy', this.folder]);
  }
}

/** What is missing for a full disk, and how to get it; `undefined` if nothing is missing. */
export const WITHOUT_MOUNT =
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'a disk of its own needs root and Linux: run it as root';
