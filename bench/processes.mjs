/** What every part needs around processes: messages with the time, free ports, and that nothing is left behind at the end. */
import console from 'node:console';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const startedAt = performance.now();
const tasks = new Set();
let folder;

/** Prints a message with the time since the start. */
export function progress(message) {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  console.log(`${clock.padStart(6)}  ${message}`);
}

/** A free port of the loopback address. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Registers a task that runs before the process ends, also after an error or a signal. The last registered task runs first.
 * Tasks are synchronous, because an exiting process runs no asynchronous code.
 *
 * @returns a function that removes the task
 */
export function beforeExit(task) {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** A folder that every account may read. It is removed at the end. */
export function temporaryFolder() {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
    chmodSync(folder, 0o755);
  }
  return folder;
}

process.on('exit', () => {
  for (const task of [...tasks].toReversed()) attempt(task);
  if (folder !== undefined) attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
});

function attempt(task) {
  try {
    task();
  } catch (error) {
    console.error(`Could not clean up: ${error.message}`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
