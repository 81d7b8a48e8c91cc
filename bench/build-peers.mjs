/** Builds the peers that are written in TypeScript: generates the Prisma client, then compiles everything into `dist/`. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

function runTool(packageEntry, args, environment = {}) {
  const tool = fileURLToPath(import.meta.resolve(packageEntry));
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The peers can't be built:\n${stdout}\n${stderr}`);
}

export function buildPeers() {
  // `prisma generate` needs no schema engine. Prisma downloads one all the same, unless a variable names a binary.
  runTool('prisma/build/index.js', ['generate', '--schema', 'peers/nest-prisma/schema.prisma'], {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
  });
  runTool('typescript/bin/tsc', ['--project', 'peers']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPeers();
