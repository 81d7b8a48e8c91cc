import { API_KEY } from '../servers.mjs';
import { requestsOf, WORKLOADS } from '../workloads.mjs';
import { autocannonVersion, runAutocannon } from './autocannon.mjs';
import { runWrk, wrkVersion } from './wrk.mjs';

const wrk = wrkVersion();
const run = wrk === undefined ? runAutocannon : runWrk;

/** The name and the version of the load generator. */
export const loadGenerator = wrk === undefined ? `autocannon ${autocannonVersion()}` : `wrk ${wrk}`;

/**
 * Sends a workload to a server for `seconds`, on `connections` connections (default: the number of the workload). Latencies
 * are in milliseconds. `errors` counts responses with a status above 399, refused and broken connections, and timeouts.
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
