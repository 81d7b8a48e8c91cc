import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to a process and to those that it has started. What is gone already is left out. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // The parent first: a parent that has stopped starts no more.
  trySignal(pid, signal);
  for (const child of childrenOf(pid)) trySignal(child, signal);
}

/** As /proc of Linux tells it. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program comes before, in brackets, and may hold anything.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(parent);
  } catch {
    return undefined;
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
