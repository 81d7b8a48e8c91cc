import { runWorkload } from '../load/load-generator.mjs';
import { cpuSeconds } from '../process-usage.mjs';
import { WORKLOADS } from '../workloads.mjs';

/**
 * One measured run: a workload against one server, on a table in its initial state. CPU is in seconds per 10,000
 * requests. A run is valid if every request got a successful response.
 *
 * @param leadIn seconds of the same load directly before the run, which do not count
 */
export async function measureRun(server, workload, { postgres, catalogue, seconds, requests, leadIn }) {
  if (WORKLOADS[workload].writes) await catalogue.reset();
  if (leadIn) await runWorkload(server, workload, { pets: catalogue.pets, seconds: leadIn, requests });
  const serverBefore = cpuSeconds(server.pid);
  const postgresBefore = cpuSeconds(postgres.pid);
  const result = await runWorkload(server, workload, { pets: catalogue.pets, seconds, requests });
  const per10000 = (before, after) =>
    before === undefined || result.requests === 0 ? undefined : ((after - before) / result.requests) * 10_000;
  return {
    ...result,
    valid: result.errors === 0 && result.requests > 0,
    serverCpu: per10000(serverBefore, cpuSeconds(server.pid)),
    postgresCpu: per10000(postgresBefore, cpuSeconds(postgres.pid)),
  };
}
