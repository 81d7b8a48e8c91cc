import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DOCUMENTS = ['operations', 'advanced']
  .map((name) => readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8'))
  .join('\n');

/** The only fenced block of these documents that contains this text. @throws Error if there is none, or another one */
export function documentedBlock(part: string): string {
  const blocks = [...DOCUMENTS.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text]) => text!);
  const found = blocks.filter((text) => text.includes(part));
  if (found.length !== 1) throw new Error(`${found.length} blocks of the documents contain ${part}`);
  return found[0]!;
}

/** Runs a script as a shell does, in a folder, and ends at the first command that fails. @throws Error with its output */
export async function runScript(script: string, cwd: string, variables: Record<string, string>): Promise<void> {
  await promisify(execFile)('sh', ['-euc', script], { cwd, env: { PATH: process.env['PATH'], ...variables } });
}
