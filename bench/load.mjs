/** Sends the requests of a workload by wrk, or where wrk is not installed by autocannon, which takes more CPU from the servers. */
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API_KEY } from './servers.mjs';
import { requestsOf, WORKLOADS } from './workloads.mjs';

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

export const loadGenerator = hasWrk ? 'wrk' : 'autocannon';

/**
 * Sends a workload to a server for this number of seconds. `errors` counts responses with a status above 399, refused and
 * broken connections, and timeouts. `p99` is a latency in milliseconds.
 *
 * @param pets how many pets there are from id 1 on
 */
export async function runWorkload({ url }, workload, { pets, seconds }) {
  const { connections, keyed } = WORKLOADS[workload];
  // No key was ever used before, so no response is a replay.
  const keyPrefix = keyed ? `${randomUUID()}-` : undefined;
  const send = hasWrk ? sendByWrk : sendByAutocannon;
  const sent = await send({ url, requests: requestsOf(workload, pets), keyPrefix, connections, seconds });
  return { ...sent, requestsPerSecond: sent.requests / sent.seconds };
}

async function sendByWrk({ url, requests, keyPrefix, connections, seconds }) {
  const file = join(tmpdir(), `requests-${randomUUID()}`);
  writeFileSync(file, requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}\n`).join(''));
  const options = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s'];
  const header = ['-H', `Authorization: Bearer ${API_KEY}`];
  const script = ['-s', join(import.meta.dirname, 'replay.lua'), url, '--', file, ...(keyPrefix ? [keyPrefix] : [])];
  const { stdout } = await promisify(execFile)('wrk', [...options, ...header, ...script]);
  return JSON.parse(stdout.trim().split('\n').at(-1));
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
