/** Measures the total throughput of several instances under the same load, in units of the throughput of one instance. */
import { runWorkload } from '../load/load-generator.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { median } from '../statistics.mjs';
import { WORKLOADS } from '../workloads.mjs';
import { warmUp } from './warm-up.mjs';

/** How many instances share the load. */
const INSTANCES = [1, 2, 4];

/** How many connections the clients have in total. */
const CONNECTIONS = [64, 512];

/** The measured workloads, one at a time: lists, gets and additions. */
const MEASURED = ['W1', 'W3', 'W4'];

/** @returns every run as `{ workload, connections, instances, requestsPerSecond, p99, ratio }`; a failed run has no figures */
export async function measureInstances({ subject, pairs, seconds, catalogue, workloads }) {
  const servers = [];
  for (let index = 0; index < Math.max(...INSTANCES); index++) servers.push(await startServer(subject, catalogue.url));
  const measured = [];
  for (const workload of MEASURED.filter((name) => workloads.includes(name))) {
    for (const server of servers) await warmUp(server, workload, { pets: catalogue.pets });
    for (const connections of CONNECTIONS) {
      for (let round = 0; round < pairs; round++) {
        const runs = [];
        for (const instances of round % 2 === 0 ? INSTANCES : INSTANCES.toReversed()) {
          if (WORKLOADS[workload].writes) await catalogue.reset();
          const run = await load(servers.slice(0, instances), workload, { connections, seconds, catalogue });
          runs.push({ workload, connections, instances, ...run });
        }
        const one = runs.find(({ instances }) => instances === 1).requestsPerSecond;
        measured.push(...runs.map((run) => ({ ...run, ratio: run.requestsPerSecond / one })));
      }
      report(workload, connections, measured);
    }
  }
  for (const server of servers) await server.stop();
  return measured;
}

/** Sends the workload to all servers at the same time, on the same number of connections for each server. */
async function load(servers, workload, { connections, seconds, catalogue }) {
  const results = await Promise.all(
    servers.map((server) =>
      runWorkload(server, workload, {
        pets: catalogue.pets,
        seconds,
        connections: connections / servers.length,
      }),
    ),
  );
  const isValid = results.every(({ requests, errors }) => requests > 0 && errors === 0);
  return isValid
    ? {
        requestsPerSecond: results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
        p99: Math.max(...results.map(({ p99 }) => p99)),
      }
    : {};
}

function report(workload, connections, measured) {
  const of = (instances) =>
    measured.filter(
      (run) => run.workload === workload && run.connections === connections && run.instances === instances,
    );
  const one = median(of(1).map(({ requestsPerSecond }) => requestsPerSecond));
  const figures = INSTANCES.map((instances) => {
    const p99 = median(of(instances).map((run) => run.p99));
    return `${instances}: ${median(of(instances).map(({ ratio }) => ratio))?.toFixed(2)} (p99 ${p99?.toFixed(1)} ms)`;
  });
  progress(
    `${workload} on ${connections} connections, one instance ${one?.toFixed(0)} a second; ${figures.join(', ')}`,
  );
}
