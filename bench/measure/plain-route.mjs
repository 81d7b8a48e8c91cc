/** Measures the CPU of a route written as Nest's documentation teaches, in units of the same route written like createPet. */
import { PATHS } from '../plain-route/module.mjs';
import { request } from '../client.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { PLAIN_ROUTE } from '../servers.mjs';
import { median } from '../statistics.mjs';
import { requestsOf } from '../workloads.mjs';
import { measureRun } from './run.mjs';
import { WARM_UP_SECONDS } from './warm-up.mjs';

/** The workload whose request bodies are sent. */
const CREATE = 'W4';

/** The workload that gives the number of connections. The table is not reset, because the route does not change it. */
const LOAD = 'W1';

/** With all accelerators, and with public library functions only. */
const SETTINGS = [
  { setting: 'on', environment: {} },
  { setting: 'off', environment: { ACCELERATORS: 'off' } },
];

/** @returns every pair of runs for each setting and part, with the ratio of the CPU seconds per 10,000 requests */
export async function measurePlainRoute({ pairs, seconds, postgres, catalogue, keep }) {
  const measured = [];
  for (const { setting, environment } of SETTINGS) {
    const server = await startServer(PLAIN_ROUTE, catalogue.url, environment);
    await verify(server);
    for (const [part, paths] of Object.entries(PATHS)) {
      const run = (path, leadIn) =>
        measureRun(server, LOAD, { postgres, catalogue, seconds, leadIn, requests: requestsTo(path) });
      const found = [];
      for (let index = 0; index < pairs; index += 1) {
        const leadIn = index === 0 ? WARM_UP_SECONDS / 2 : undefined;
        found.push(
          await measurePair(run, paths, index % 2 === 0 ? ['plain', 'asCreatePet'] : ['asCreatePet', 'plain'], leadIn),
        );
      }
      measured.push({ setting, part, pairs: found });
      const ratios = found.map(({ ratio }) => ratio?.toFixed(2) ?? 'invalid').join(' ');
      progress(
        `accelerators ${setting}, ${part}: CPU ${median(found.map(({ ratio }) => ratio))?.toFixed(2)}  (${ratios})`,
      );
    }
    await server.stop();
    keep(measured);
  }
  return measured;
}

async function measurePair(run, paths, order, leadIn) {
  const runs = {};
  for (const way of order) runs[way] = await run(paths[way], leadIn);
  const { plain, asCreatePet } = runs;
  const ratio =
    plain.valid && asCreatePet.valid && plain.serverCpu !== undefined
      ? plain.serverCpu / asCreatePet.serverCpu
      : undefined;
  return { order, plain, asCreatePet, ratio };
}

function requestsTo(path) {
  return requestsOf(CREATE, 0).map((sent) => ({ ...sent, path }));
}

/** Verifies that both routes give the same answer: otherwise the comparison would be meaningless. */
async function verify(server) {
  const body = { name: 'Rex', categoryId: 7, status: 'pending' };
  const expected = JSON.stringify({ id: 1, ...body });
  for (const path of Object.values(PATHS.answered)) {
    const answer = await request(server, 'POST', path, { body });
    const refusal = await request(server, 'POST', path, { body: { ...body, categoryId: '7' } });
    if (answer.status !== 201 || JSON.stringify(answer.body) !== expected || refusal.status !== 400)
      throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}, then ${refusal.status}`);
  }
}
