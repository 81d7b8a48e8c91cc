import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedUser } from '../support/postgres-server.js';

const HINDRANCE = 'a full disk is not tested: only root may mount one, on Linux';

/** A file system in memory that is soon full, for a tablespace. Only root may mount one. */
export class SmallDisk {
  private constructor(
    private readonly mountPoint: string,
    /** An empty folder on it that belongs to the user of the PostgreSQL server. */
    readonly folder: string,
  ) {}

  /** What to say where this user may not mount one; `undefined` where he may. */
  static get hindrance(): string | undefined {
    if (process.platform !== 'linux' || unprivilegedUser() === undefined) return HINDRANCE;
    try {
      SmallDisk.mount(1).unmount();
      return undefined;
    } catch {
      return HINDRANCE;
    }
  }

  /** @throws Error where it cannot be mounted */
  static mount(mebibytes: number): SmallDisk {
    const owner = unprivilegedUser();
    const mountPoint = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', mountPoint]);
    if (status !== 0) {
      rmSync(mountPoint, { recursive: true });
      throw new Error(`No small disk: ${stderr.toString()}`);
    }
    chmodSync(mountPoint, 0o755);
    const folder = join(mountPoint, 'tablespace');
    mkdirSync(folder, { mode: 0o700 });
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    return new SmallDisk(mountPoint, folder);
  }

  unmount(): void {
    spawnSync('umount', ['--lazy', this.mountPoint]);
    rmSync(this.mountPoint, { recursive: true, force: true });
  }
}
