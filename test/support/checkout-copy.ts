import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** How a program ended, and all that it printed. */
export interface Ended {
  readonly status: number | null;
  readonly printed: string;
}

/** A copy of what git has, or would take in, of this checkout: a checkout of its own, with one commit. */
export class CheckoutCopy {
  private constructor(readonly folder: string) {}

  static make(): CheckoutCopy {
    const copy = new CheckoutCopy(fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'checkout-copy-'))));
    const listed = run(ROOT, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
    if (listed.status !== 0) throw new Error(listed.printed);
    for (const path of listed.printed.split('\0'))
      if (path !== '' && fs.existsSync(join(ROOT, path))) copy.take(join(ROOT, path), path);
    // Git ignores `node_modules/`, which a link is not.
    fs.appendFileSync(join(copy.folder, '.gitignore'), 'node_modules\n');
    fs.symlinkSync(join(ROOT, 'node_modules'), join(copy.folder, 'node_modules'));
    copy.git('init', '--quiet');
    copy.commit('as it was');
    return copy;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a program of Node by its path in the copy. */
  node(program: string, ...args: string[]): Ended {
    return run(this.folder, process.execPath, join(this.folder, program), ...args);
  }

  git(...args: string[]): string {
    const { status, printed } = run(this.folder, 'git', ...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${printed}`);
    return printed;
  }

  /** Commits all there is. */
  commit(message: string): void {
    this.git('add', '--all');
    this.git(...['-c', 'user.name=test', '-c', 'user.email=test@localhost'], 'commit', '--quiet', '-m', message);
  }

  /** What git says changed since the commit: `[' M path', '?? folder/']`. */
  changes(): string[] {
    return this.git('status', '--porcelain')
      .split('\n')
      .filter((line) => line !== '');
  }

  read(path: string): string {
    return fs.readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    fs.writeFileSync(join(this.folder, path), text);
  }

  /** Copies a file or a folder to a path of the copy. */
  take(from: string, path: string): void {
    fs.mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    fs.cpSync(from, join(this.folder, path), { recursive: true });
  }
}

function run(folder: string, program: string, ...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 ** 2,
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
  });
  return { status, printed: stdout + stderr };
}
