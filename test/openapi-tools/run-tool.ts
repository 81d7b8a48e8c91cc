import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of the package whose tools these are. */
export const PACKAGE = import.meta.dirname;

/** The document that the tools read. */
export const DOCUMENT = join(PACKAGE, '../../docs/openapi.yaml');

/** Where a program of one of the tools is: what npm links into its folder of programs. */
function program(name: string): string {
  return join(PACKAGE, 'node_modules/.bin', name);
}

export interface Ended {
  readonly status: number | null;
  readonly standardOutput: string;
  readonly standardError: string;
}

/** Runs a tool to its end, in a folder that holds no settings for it unless one is named. */
export async function runTool(name: string, args: readonly string[], folder = tmpdir()): Promise<Ended> {
  return await ended(startTool(name, args, 'pipe', folder));
}

/** Runs a program of Node to its end. */
export async function runProgram(args: readonly string[], folder: string, variables = {}): Promise<Ended> {
  return await ended(spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...variables } }));
}

/** Starts one that does not end by itself. The caller stops it. */
export function startTool(
  name: string,
  args: readonly string[],
  stdio: 'pipe' | 'inherit' = 'pipe',
  folder = tmpdir(),
): ChildProcess {
  // Their colours are for people, and some look for a newer release of themselves.
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, CI: 'true' };
  return spawn(process.execPath, [program(name), ...args], { cwd: folder, env, stdio });
}

async function ended(process: ChildProcess): Promise<Ended> {
  let [standardOutput, standardError] = ['', ''];
  process.stdout?.setEncoding('utf8').on('data', (text: string) => (standardOutput += text));
  process.stderr?.setEncoding('utf8').on('data', (text: string) => (standardError += text));
  const [status] = (await once(process, 'close')) as [number | null];
  return { status, standardOutput, standardError };
}
