/**
 * An attacker in a thread of its own, so that what it does costs the other clients of the test nothing but the server's time.
 * It opens connections to 127.0.0.1, writes the same bytes on each of them, and reads the answers or leaves them lying.
 *
 * Bounded: each connection writes its bytes `times` times at most, and all ends after `milliseconds`.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/** All of what an attack is: nothing is left to a default. */
export interface AttackerOptions {
  readonly port: number;
  readonly connections: number;
  readonly payloads: readonly (string | Uint8Array)[];
  readonly times: number;
  readonly pauseMs: number;
  readonly reads: boolean;
  readonly reconnects: boolean;
  readonly milliseconds: number;
}

const options = workerData as AttackerOptions;
const { port, connections, payloads, times, pauseMs, reads, reconnects, milliseconds } = options;
const end = performance.now() + milliseconds;
const open = new Set<Socket>();

function attack(payload: Buffer): void {
  if (performance.now() > end) return;
  const socket = connect({ port, host: '127.0.0.1' });
  open.add(socket);
  const stop = new AbortController();
  const gone = once(socket, 'close').catch(() => undefined);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    stop.abort();
    open.delete(socket);
    if (reconnects) attack(payload);
  });
  if (reads) socket.resume();
  void (async () => {
    for (let time = 0; time < times && !stop.signal.aborted && performance.now() < end; time++) {
      if (!socket.write(payload)) await Promise.race([gone, once(socket, 'drain').catch(() => undefined)]);
      if (pauseMs > 0) await delay(pauseMs);
    }
  })();
}

for (let index = 0; index < connections; index++) attack(Buffer.from(payloads[index % payloads.length] ?? ''));
while (performance.now() < end && open.size > 0) await delay(20);
for (const socket of open) socket.destroy();
