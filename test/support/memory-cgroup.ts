import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A memory cgroup of the Linux kernel, version 1 or 2. */
export class MemoryCgroup {
  private constructor(private readonly folder: string) {}

  /** `undefined` if there are no cgroups, or if this user may not create one. */
  static create(name: string, mebibytes: number): MemoryCgroup | undefined {
    const isFirstVersion = existsSync('/sys/fs/cgroup/memory');
    const folder = join(isFirstVersion ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup', name);
    try {
      mkdirSync(folder);
      const limit = isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max';
      writeFileSync(join(folder, limit), String(mebibytes * 1024 ** 2));
      return new MemoryCgroup(folder);
    } catch {
      return undefined;
    }
  }

  /** Whether this user may create a memory cgroup. */
  static get isPossible(): boolean {
    const group = MemoryCgroup.create(`animal-store-${process.pid}-trial`, 64);
    group?.remove();
    return group !== undefined;
  }

  /** The shell command that moves the shell into the group. */
  get join(): string {
    return `echo $$ > ${this.processes};`;
  }

  /** Node options with which a process moves itself into the group before it does anything else. */
  get nodeOptions(): string[] {
    const script = `import { writeFileSync } from 'node:fs'; writeFileSync('${this.processes}', String(process.pid));`;
    return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  }

  private get processes(): string {
    return join(this.folder, 'cgroup.procs');
  }

  remove(): void {
    rmdirSync(this.folder);
  }
}
