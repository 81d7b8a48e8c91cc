import type { Server } from 'node:http';

/** Calls `check` at intervals until the server closes. The process may end in spite of it. */
export function checkRegularly(server: Server, everyMs: number, check: () => void): void {
  const timer = setInterval(check, everyMs);
  timer.unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}
