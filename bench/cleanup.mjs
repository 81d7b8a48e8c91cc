/** At every end of the benchmark, also after an error or a signal, ends its processes and removes its files in other folders. */
import console from 'node:console';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const tasks = new Set();

/**
 * Registers a task that runs before the process ends. The last registered task runs first. Tasks are synchronous,
 * because an exiting process runs no asynchronous code.
 *
 * @returns a function that removes the task
 */
export function beforeExit(task) {
  tasks.add(task);
  return () => tasks.delete(task);
}

let folder;

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
