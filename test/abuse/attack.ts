import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AttackerOptions } from './attacker.js';
import type { BystanderOptions, BystanderOutcome } from './bystander.js';

/** What an attacker does. Everything is bounded, and goes to 127.0.0.1. */
export interface Attack {
  readonly connections: number;
  /** What is written on each connection; where there are several, each connection takes the next one. */
  readonly payloads: readonly (string | Buffer)[];
  /** How many times each connection writes it: once unless told otherwise. */
  readonly times?: number;
  /** Between two times, in milliseconds. */
  readonly pauseMs?: number;
  /** Whether the answers are read. */
  readonly reads?: boolean;
  /** Whether a connection that ends is made anew. */
  readonly reconnects?: boolean;
  /** When it is over at the latest. */
  readonly milliseconds: number;
}

/** Attacks the service on this port. Resolves when it is over. */
export async function attack(port: number, what: Attack): Promise<void> {
  const defaults = { times: 1, pauseMs: 0, reads: true, reconnects: false };
  await once(startThread('attacker.ts', { ...defaults, ...what, port } satisfies AttackerOptions), 'exit');
}

/** Runs the work while a client that behaves lists the catalogue. */
export async function besideBystander(port: number, key: string, work: () => Promise<void>): Promise<BystanderOutcome> {
  const thread = startThread('bystander.ts', { port, key, pauseMs: 10 } satisfies BystanderOptions);
  await work();
  const outcome = once(thread, 'message') as Promise<[BystanderOutcome]>;
  thread.postMessage('stop');
  return (await outcome)[0];
}

function startThread(file: string, workerData: unknown): Worker {
  return new Worker(join(import.meta.dirname, file), { workerData });
}
