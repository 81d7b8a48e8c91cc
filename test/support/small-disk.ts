import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder on a separate small file system in memory, which is soon full. */
export interface SmallDisk {
  readonly folder: string;
  remove(): void;
}

/** @returns `undefined` if this user may not mount a file system, which requires root on Linux */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const options = `size=${megabytes}m,mode=0777`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  chmodSync(folder, 0o777);
  return {
    folder,
    remove: () => {
      // Lazily: a process that has been killed may still be ending.
      spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
