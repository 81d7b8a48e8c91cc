import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process by a signal. Resolves when the process has exited: at once if it had exited before. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
