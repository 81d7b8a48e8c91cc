import { API_KEY } from '../servers.mjs';
import { requestsOf, WORKLOADS } from '../workloads.mjs';
import { autocannonVersion, runAutocannon } from './autocannon.mjs';
import { runWrk, wrkVersion } from './wrk.mjs';

const wrk = wrkVersion();
const run = wrk === undefined ? runAutocannon : runWrk;

/** Which load generator is used, with its version. */
export const loadGenerator = wrk === undefined ? `autocannon ${autocannonVersion()}` : `wrk ${wrk}`;

/**
 * Sends a workload to a server, on as many connections as the workload says unless told otherwise, for some seconds. Latencies are in
 * milliseconds. `errors` counts answers above 399, refused and broken connections, and timeouts.
 */
export async function runWorkload(server, workload, { pets, seconds, requests, connections }) {
  const result = await run({
    url: server.url,
    key: API_KEY,
    requests: requests ?? requestsOf(workload, pets),
    connections: connections ?? WORKLOADS[workload].connections,
    seconds,
  });
  const errors = Object.values(result.errors).reduce((sum, count) => sum + count, 0);
  return { ...result, requestsPerSecond: result.requests / result.seconds, errors, errorKinds: result.errors };
}
