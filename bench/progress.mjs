import console from 'node:console';
import { performance } from 'node:perf_hooks';

const startedAt = performance.now();

/** Prints a message with the time since the start. */
export function progress(message) {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  console.log(`${clock.padStart(6)}  ${message}`);
}
