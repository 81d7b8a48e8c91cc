/** Sends the requests of a workload by wrk, or where wrk is not installed by autocannon, which takes more CPU from the servers. */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, URL } from 'node:url';
import { beforeExit, temporaryFolder } from './processes.mjs';
import { API_KEY } from './servers.mjs';
import { requestsOf, WORKLOADS } from './workloads.mjs';

const REPLAY_SCRIPT = fileURLToPath(new URL('replay.lua', import.meta.url));

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

export const loadGenerator = hasWrk ? 'wrk' : 'autocannon';

/**
 * Sends a workload to a server for this number of seconds. `errors` counts responses with a status above 399, refused and
 * broken connections, and timeouts. `p99` is a latency in milliseconds. `requestsPerCore` is the number of requests that the
 * server serves in a second of processor time.
 *
 * @param pets how many pets there are from id 1 on
 */
export async function runWorkload(server, workload, { pets, seconds }) {
  const send = hasWrk ? sendByWrk : sendByAutocannon;
  const { connections, keyed } = WORKLOADS[workload];
  const requests = requestsOf(workload, pets);
  // No key was ever used before, so no response is a replay.
  const keyPrefix = keyed ? `${randomUUID()}-` : undefined;
  const before = server.processorSeconds();
  const sent = await send({ url: server.url, requests, keyPrefix, connections, seconds });
  return {
    requestsPerSecond: sent.requests / sent.seconds,
    requestsPerCore: sent.requests / (server.processorSeconds() - before),
    p99: sent.p99,
    requests: sent.requests,
    errors: sent.errors,
  };
}

async function sendByWrk({ url, requests, keyPrefix, connections, seconds }) {
  const file = join(temporaryFolder(), `requests-${randomUUID()}`);
  writeFileSync(file, requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}\n`).join(''));
  const options = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s'];
  const header = ['-H', `Authorization: Bearer ${API_KEY}`];
  const scriptArguments = keyPrefix === undefined ? [file] : [file, keyPrefix];
  const wrk = spawn('wrk', [...options, ...header, '-s', REPLAY_SCRIPT, url, '--', ...scriptArguments]);
  const forget = beforeExit(() => wrk.kill('SIGKILL'));
  try {
    const [output, complaint] = await Promise.all([text(wrk.stdout), text(wrk.stderr), once(wrk, 'close')]);
    if (wrk.exitCode !== 0) throw new Error(`wrk failed: ${complaint}`);
    return JSON.parse(output.trim().split('\n').at(-1));
  } finally {
    forget();
    rmSync(file);
  }
}

async function sendByAutocannon({ url, requests, keyPrefix, connections, seconds }) {
  const { default: autocannon } = await import('autocannon');
  let position = 0;
  const setupRequest = (request) => {
    const { method, path, body } = requests[position % requests.length];
    position += 1;
    const headers = { Authorization: `Bearer ${API_KEY}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (keyPrefix !== undefined) headers['Idempotency-Key'] = `${keyPrefix}${position}`;
    return { ...request, method, path, headers, body };
  };
  const result = await autocannon({ url, connections, duration: seconds, timeout: 10, requests: [{ setupRequest }] });
  return {
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    p99: result.latency.p99,
    errors: result.non2xx + result.errors,
  };
}
