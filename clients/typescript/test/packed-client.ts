import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** The client as npm packs it, installed in a project that `npm init -y` has made. */
export class PackedClient {
  private constructor(
    /** The files in the package. */
    readonly files: readonly string[],
    readonly folder: string,
  ) {}

  static install(): PackedClient {
    const parent = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-client-')));
    const folder = join(parent, 'shop');
    fs.mkdirSync(folder);
    const packed = npm(ROOT, 'pack', './clients/typescript', '--json', '--pack-destination', parent);
    // The output of the build comes first.
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ];
    npm(folder, 'init', '-y');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `../${filename}`);
    return new PackedClient(
      files.map(({ path }) => path),
      folder,
    );
  }

  remove(): void {
    fs.rmSync(dirname(this.folder), { recursive: true, force: true });
  }

  write(path: string, text: string): void {
    fs.writeFileSync(join(this.folder, path), text);
  }

  /** Compiles modules of the project. @returns the errors of the compiler */
  compile(paths: readonly string[], options: readonly string[] = []): string {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const usual = ['--ignoreConfig', '--strict', '--target', 'es2022', '--module', 'nodenext'];
    return run(this.folder, process.execPath, [compiler, ...usual, ...options, ...paths]).printed;
  }

  /** Runs Jest in the project. @returns its report */
  runJest(): string {
    return run(this.folder, process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), '--json']).printed;
  }

  /** Runs a module of the project. @param node a Node other than the Node of the tests */
  run(path: string, node = process.execPath): string {
    const { status, printed } = run(this.folder, node, [path]);
    if (status !== 0) throw new Error(`${path}: ${printed}`);
    return printed;
  }
}

/** The versions of Node that the package promises, each with its program if the machine has it. */
export const NODES = [20, 24].flatMap((major) => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const node = [process.execPath, ...folders.map((folder) => join(folder, 'node'))].find((path) => {
    const { error, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return error === undefined && stdout.startsWith(`v${major}.`);
  });
  if (node === undefined) console.warn(`No Node ${major} on PATH: the client is not tested on it`);
  return node === undefined ? [] : [[major, node] as const];
});

function npm(folder: string, ...args: string[]): string {
  const { status, printed } = run(folder, 'npm', args);
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${printed}`);
  return printed;
}

function run(folder: string, program: string, args: readonly string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, printed: status === 0 ? stdout : stdout + stderr };
}
