import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AttackerOptions } from './attacker-thread.js';
import type { BystanderOptions, BystanderOutcome } from './bystander-thread.js';

/** The parameters of an attacker. Every attack is limited and goes to 127.0.0.1. */
export interface Attack {
  readonly connections: number;
  /** The bytes for the connections. If there are several payloads, each connection takes the next one. */
  readonly payloads: readonly (string | Buffer)[];
  /** How many times each connection writes its payload. Default: once. */
  readonly times?: number;
  /** The pause between two writes, in milliseconds. */
  readonly pauseMs?: number;
  /** Whether the attacker reads the responses. */
  readonly reads?: boolean;
  /** Whether the attacker closes a connection as soon as its bytes are sent. */
  readonly leaves?: boolean;
  /** Whether the attacker replaces a connection that has ended. */
  readonly reconnects?: boolean;
  /** Whether the attacker waits for a response before it writes again. */
  readonly waits?: boolean;
  /** The maximum duration of the attack. */
  readonly milliseconds: number;
}

/** Attacks the service on this port. Resolves at the end of the attack. */
export async function attack(port: number, what: Attack): Promise<void> {
  const defaults = { times: 1, pauseMs: 0, reads: true, leaves: false, reconnects: false, waits: false };
  await once(startThread('attacker-thread.ts', { ...defaults, ...what, port } satisfies AttackerOptions), 'exit');
}

/** Runs the work while a well-behaved client lists the catalogue. */
export async function besideBystander(port: number, key: string, work: () => Promise<void>): Promise<BystanderOutcome> {
  const thread = startThread('bystander-thread.ts', { port, key, pauseMs: 10 } satisfies BystanderOptions);
  await work();
  const outcome = once(thread, 'message') as Promise<[BystanderOutcome]>;
  thread.postMessage('stop');
  return (await outcome)[0];
}

function startThread(file: string, workerData: unknown): Worker {
  return new Worker(join(import.meta.dirname, file), { workerData });
}
