import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

async function compile(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, [COMPILER, ...args], { cwd }).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
}

/** Compiles the client of this checkout into a folder, as a package, because `dist` may be old. The caller removes the folder. */
export async function buildClient(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-client-'));
  copyFileSync(join(CLIENT, 'package.json'), join(folder, 'package.json'));
  await compile(['--project', join(CLIENT, 'tsconfig.json'), '--outDir', join(folder, 'dist')], ROOT);
  return folder;
}

/** Turns the folder into a project with the client installed. */
export function installClient(folder: string, client: string): void {
  mkdirSync(join(folder, 'node_modules/@animal-store'), { recursive: true });
  symlinkSync(client, join(folder, 'node_modules/@animal-store/client'));
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

/** Checks the types in the files of a project as a user of the client does. @throws Error with the errors of the compiler */
export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const options = '--noEmit --strict --target es2022 --module nodenext --types node --lib es2022,dom'.split(' ');
  await compile([...options, ...files], folder);
}
