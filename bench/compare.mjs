/** Compares the subject with a peer in pairs of runs, side by side on one machine. */
import { runWorkload } from './load.mjs';
import { progress } from './processes.mjs';
import { ORDERS, startServer } from './servers.mjs';
import { verifyOrders } from './verify-orders.mjs';
import { verifyAnswers } from './verify.mjs';
import { WORKLOADS } from './workloads.mjs';

/** Long enough for every server: the product adds 23,000 pets a second at first and 33,000 after 8 s. */
const WARM_UP_SECONDS = 8;

/** This server answers with constant bytes, so its answers are not verified. */
const WITHOUT_DATABASE = 'static';

/**
 * Runs the subject and the peer at the same time, and sends each workload to them in turn, A B B A and so on: noise of the
 * machine most likely affects two adjacent runs alike. Of two servers of the same build, the one that was started first is
 * slower by 2 to 4 %, so each is started first for half of the pairs. A pair with a failed request does not count.
 *
 * @param workloads of one program
 * @returns by workload, the pairs as `{ subject, peer, ratio }`: two runs, and the ratio of their requests per second
 */
export async function compare(subject, peer, workloads, { application, database, pairs, seconds }) {
  const compared = Object.fromEntries(workloads.map((workload) => [workload, []]));
  for (const isSubjectFirst of pairs > 1 ? [true, false] : [true]) {
    const servers = {};
    for (const name of isSubjectFirst ? ['subject', 'peer'] : ['peer', 'subject'])
      servers[name] = await startServer({ subject, peer }[name], database.url, application);
    for (const server of Object.values(servers)) await verify(server, application, database);
    for (const workload of workloads) {
      for (const server of Object.values(servers)) await run(server, workload, database, WARM_UP_SECONDS);
      const share = isSubjectFirst ? Math.ceil(pairs / 2) : Math.floor(pairs / 2);
      for (let index = 0; index < share; index++) {
        const pair = {};
        for (const name of index % 2 === 0 ? ['subject', 'peer'] : ['peer', 'subject'])
          pair[name] = await run(servers[name], workload, database, seconds);
        compared[workload].push({ ...pair, ratio: ratioOf(pair) });
      }
      if (WORKLOADS[workload].writes) await database.reset();
      const ratios = compared[workload].map(({ ratio }) => ratio?.toFixed(2) ?? 'invalid');
      progress(`${workload.padEnd(9)} ${subject} : ${peer}  ${ratios.join(' ')}`);
    }
    for (const server of Object.values(servers)) await server.stop();
  }
  return compared;
}

async function verify(server, application, database) {
  if (server.name === WITHOUT_DATABASE) return;
  await (application === ORDERS ? verifyOrders : verifyAnswers)(server, database);
}

async function run(server, workload, database, seconds) {
  if (WORKLOADS[workload].writes) await database.reset();
  return runWorkload(server, workload, { pets: database.pets, seconds });
}

function ratioOf({ subject, peer }) {
  const isValid = [subject, peer].every(({ requests, errors }) => requests > 0 && errors === 0);
  return isValid ? subject.requestsPerSecond / peer.requestsPerSecond : undefined;
}
