import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to a process and its children. Ignores processes that no longer exist. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // The parent gets the signal first, so that it starts no further children.
  trySignal(pid, signal);
  for (const child of childrenOf(pid)) trySignal(child, signal);
}

/** The children of a process, read from /proc of Linux. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program comes first, in parentheses, and may contain any characters.
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
