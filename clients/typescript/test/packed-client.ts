import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'clients/typescript');

/** The client as npm packs it, installed in a project without other packages. */
export class PackedClient {
  private constructor(
    /** The files in the package. */
    readonly files: readonly string[],
    readonly folder: string,
  ) {}

  static install(): PackedClient {
    const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-client-')));
    const packed = npm(PACKAGE, 'pack', '--json', '--pack-destination', folder);
    // The output of the build comes first.
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ];
    const client = new PackedClient(
      files.map(({ path }) => path),
      folder,
    );
    client.write('package.json', '{ "private": true, "type": "module" }');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
    return client;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  write(path: string, text: string): void {
    fs.writeFileSync(join(this.folder, path), text);
  }

  /** Compiles modules of the project. @returns the errors of the compiler */
  compile(paths: readonly string[], options: readonly string[] = []): string {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = ['--ignoreConfig', '--strict', '--target', 'es2022', '--module', 'nodenext', ...options];
    return run(this.folder, process.execPath, compiler, ...args, ...paths).printed;
  }

  /** Runs Jest in the project. @returns its report */
  runJest(): string {
    return run(this.folder, process.execPath, join(ROOT, 'node_modules/jest/bin/jest.js'), '--json').printed;
  }

  /** Runs a module of the project. @param node a Node other than the Node of the tests */
  run(path: string, node = process.execPath): string {
    const { status, printed } = run(this.folder, node, path);
    if (status !== 0) throw new Error(`${path}: ${printed}`);
    return printed;
  }
}

/** The path of a Node of this major version on the machine, if there is one. */
export function nodeOfVersion(major: number): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [process.execPath, ...folders.map((folder) => join(folder, 'node'))].find((path) => {
    const { error, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return error === undefined && stdout.startsWith(`v${major}.`);
  });
}

function npm(folder: string, ...args: string[]): string {
  const { status, printed } = run(folder, 'npm', ...args);
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${printed}`);
  return printed;
}

function run(folder: string, program: string, ...args: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, printed: status === 0 ? stdout : stdout + stderr };
}
