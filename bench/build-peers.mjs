/** Compiles the peers that are written in TypeScript into `dist/`. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export function buildPeers() {
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const options = { cwd: import.meta.dirname, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--project', 'peers'], options);
  if (status !== 0) throw new Error(`The peers do not compile:\n${stdout}\n${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPeers();
