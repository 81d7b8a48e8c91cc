import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const LARGE = { maxBuffer: 256 * 1024 ** 2 };

interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Whether this checkout contains a commit: a shallow clone, or a copy without the Git history, may not. */
export async function isKnown(commit: string): Promise<boolean> {
  return await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
}

/** An earlier version, built by its own build in a separate folder. */
export class PastVersion {
  private constructor(private readonly folder: string) {}

  static async build(commit: string): Promise<PastVersion> {
    const version = new PastVersion(fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'animal-store-past-')));
    const archive = join(version.folder, 'archive.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: ROOT });
    await run('tar', ['-xf', archive], { cwd: version.folder });
    // Uses the packages of this checkout if they are the same: an installation takes half a minute.
    if (version.hasPackagesOfThisOne())
      fs.symlinkSync(join(ROOT, 'node_modules'), join(version.folder, 'node_modules'));
    else await run('npm', ['ci'], { cwd: version.folder, ...LARGE });
    await run(process.execPath, ['tools/build.js'], { cwd: version.folder, ...LARGE });
    return version;
  }

  /** The folder of the libraries in the sources of this version. */
  get libraries(): string {
    return join(this.folder, 'libs');
  }

  /** A program from the build of this version. */
  program(name: 'main' | 'cli/migrate' | 'cli/keys'): `/${string}` {
    return `${this.folder as `/${string}`}/dist/apps/api/src/${name}.js`;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private hasPackagesOfThisOne(): boolean {
    const { dependencies, devDependencies } = read(join(this.folder, 'package.json')) as Packages;
    return Object.entries({ ...dependencies, ...devDependencies }).every(([name, version]) => {
      const file = join(ROOT, 'node_modules', name, 'package.json');
      return fs.existsSync(file) && (read(file) as { version: string }).version === version;
    });
  }
}

function read(path: string): unknown {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}
