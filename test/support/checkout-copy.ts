import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The exit of a program, and all of its output. */
export interface Ended {
  readonly status: number | null;
  readonly printed: string;
}

/** A copy of the files in this checkout that git tracks or would add: a separate checkout with one commit. */
export class CheckoutCopy {
  private constructor(readonly folder: string) {}

  static make(): CheckoutCopy {
    const copy = new CheckoutCopy(fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'checkout-copy-'))));
    const listed = run(ROOT, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
    if (listed.status !== 0) throw new Error(listed.printed);
    for (const path of listed.printed.split('\0'))
      if (path !== '' && fs.existsSync(join(ROOT, path))) copy.take(join(ROOT, path), path);
    // The pattern `node_modules/` does not match a link, so git would not ignore the link.
    fs.appendFileSync(join(copy.folder, '.gitignore'), 'node_modules\n');
    fs.symlinkSync(join(ROOT, 'node_modules'), join(copy.folder, 'node_modules'));
    copy.git('init', '--quiet');
    copy.commit('as it was');
    return copy;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a Node program by its path in the copy. */
  node(program: string, ...args: string[]): Ended {
    return run(this.folder, process.execPath, join(this.folder, program), ...args);
  }

  npm(...args: string[]): Ended {
    return run(this.folder, 'npm', ...args);
  }

  git(...args: string[]): string {
    const { status, printed } = run(this.folder, 'git', ...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${printed}`);
    return printed;
  }

  /** Commits all changes. */
  commit(message: string): void {
    this.git('add', '--all');
    this.git(...['-c', 'user.name=test', '-c', 'user.email=test@localhost'], 'commit', '--quiet', '-m', message);
  }

  /** The changes since the commit as git reports them: `[' M path', '?? folder/']`. */
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

  /** Copies a file or a folder from this checkout to a path in the copy. */
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
