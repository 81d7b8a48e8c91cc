/**
 * An attacker in its own thread. It therefore costs the other clients of the test only the time of the server.
 * The attacker opens connections to 127.0.0.1, writes the same bytes on each connection, and reads the responses or leaves them
 * unread.
 *
 * Limits: each connection writes its bytes at most `times` times, and the whole attack ends after `milliseconds`.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/** All parameters of an attack, without defaults. */
export interface AttackerOptions {
  readonly port: number;
  readonly connections: number;
  readonly payloads: readonly (string | Uint8Array)[];
  readonly times: number;
  readonly pauseMs: number;
  readonly reads: boolean;
  readonly leaves: boolean;
  readonly reconnects: boolean;
  readonly waits: boolean;
  readonly milliseconds: number;
}

const options = workerData as AttackerOptions;
const { port, connections, payloads, times, pauseMs, reads, leaves, reconnects, waits, milliseconds } = options;
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
      if (waits) await Promise.race([gone, once(socket, 'data').catch(() => undefined)]);
      if (pauseMs > 0) await delay(pauseMs);
    }
    if (leaves) socket.destroySoon();
  })();
}

// Made once: what the attacker itself costs is taken from the server on a machine with few cores.
const bytes = payloads.map((payload) => Buffer.from(payload));
for (let index = 0; index < connections; index++) attack(bytes[index % bytes.length] ?? Buffer.alloc(0));
while (performance.now() < end && open.size > 0) await delay(20);
for (const socket of open) socket.destroy();
