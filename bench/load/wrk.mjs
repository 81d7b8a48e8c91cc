import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, URL } from 'node:url';
import { beforeExit, temporaryFolder } from '../cleanup.mjs';

const REPLAY_SCRIPT = fileURLToPath(new URL('replay.lua', import.meta.url));

/** The version of wrk, or `undefined` if wrk is not installed. */
export function wrkVersion() {
  return /^wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];
}

export async function runWrk({ url, key, requests, connections, seconds }) {
  const file = join(temporaryFolder(), `requests-${randomUUID()}`);
  writeFileSync(file, requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}\n`).join(''));
  const options = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s'];
  const wrk = spawn('wrk', [
    ...options,
    ...['-H', `Authorization: Bearer ${key}`],
    ...['-s', REPLAY_SCRIPT, url, '--', file],
  ]);
  const forget = beforeExit(() => wrk.kill('SIGKILL'));
  try {
    const [output, complaint] = await Promise.all([text(wrk.stdout), text(wrk.stderr), once(wrk, 'close')]);
    if (wrk.exitCode !== 0) throw new Error(`wrk failed: ${complaint}`);
    return JSON.parse(output.trim().split('\n').at(-1));
  } finally {
    forget();
    rmSync(file);
  }
}
