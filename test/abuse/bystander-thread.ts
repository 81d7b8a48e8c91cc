/**
 * A well-behaved client in its own thread. It lists the catalogue with a valid key until it receives a stop message. It mostly
 * uses one connection and sometimes opens a new one. At the end it reports its results.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface BystanderOptions {
  readonly port: number;
  readonly key: string;
  /** The pause between two calls. */
  readonly pauseMs: number;
}

/** The results of the client. */
export interface BystanderOutcome {
  calls: number;
  /** The status or the error of each call that failed. */
  readonly failures: string[];
  /** Half of the calls were shorter. */
  medianMs: number;
  worstMs: number;
}

const { port, key, pauseMs } = workerData as BystanderOptions;
/** A client that waits for longer gives up, and counts its call as failed. */
const PATIENCE_MS = 5_000;

const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const outcome: BystanderOutcome = { calls: 0, failures: [], medianMs: 0, worstMs: 0 };
const durations: number[] = [];
const stop = new AbortController();
parentPort?.once('message', () => {
  stop.abort();
});

/** @returns the reason if the call failed */
function list(agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` };
    const outgoing = request({ port, host: '127.0.0.1', path: '/v1/pets', agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode === 200 ? undefined : String(answer.statusCode));
      });
      answer.on('error', fail);
    });
    const fail = (error: Error) => {
      resolve(error.message);
    };
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error('No answer in time')));
    outgoing.on('error', fail).end();
  });
}

while (!stop.signal.aborted) {
  const startedAt = performance.now();
  const failure = await list(outcome.calls % 10 === 9 ? new Agent() : kept);
  outcome.calls += 1;
  durations.push(performance.now() - startedAt);
  if (failure !== undefined) outcome.failures.push(failure);
  await delay(pauseMs);
}
kept.destroy();
durations.sort((one, other) => one - other);
outcome.medianMs = durations[Math.floor(durations.length / 2)] ?? 0;
outcome.worstMs = durations.at(-1) ?? 0;
parentPort?.postMessage(outcome);
