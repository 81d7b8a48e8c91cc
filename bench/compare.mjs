/** Compares the subject with a peer in pairs of runs, side by side on one machine. */
import console from 'node:console';
import { runWorkload } from './load.mjs';
import { startServer } from './servers.mjs';
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
 * @param both `{ subject, peer }`: each a server `{ name, settings }` with its `database`
 * @returns by workload, the pairs as `{ subject, peer, ratio }`: two runs, and the ratio of their requests per second
 */
export async function compare(both, { workloads, pairs, seconds }) {
  const compared = Object.fromEntries(workloads.map((workload) => [workload, []]));
  const orders = [Object.keys(both), Object.keys(both).toReversed()];
  for (const [half, order] of orders.slice(0, pairs).entries()) {
    const sides = {};
    try {
      for (const side of order) sides[side] = await started(both[side]);
      for (const workload of workloads) {
        for (const side of Object.values(sides)) await run(side, workload, WARM_UP_SECONDS);
        for (let index = half; index < pairs; index += 2) {
          const pair = {};
          for (const side of index % 4 < 2 ? order : order.toReversed())
            pair[side] = await run(sides[side], workload, seconds);
          compared[workload].push({ ...pair, ratio: ratioOf(pair) });
        }
        const ratios = compared[workload].map(({ ratio }) => ratio?.toFixed(2) ?? 'invalid');
        console.log(`${workload.padEnd(9)} ${both.subject.name} : ${both.peer.name}  ${ratios.join(' ')}`);
      }
    } finally {
      for (const { server, database } of Object.values(sides)) {
        await server.stop();
        await database.reset();
      }
    }
  }
  return compared;
}

async function started({ name, settings, database }) {
  const server = await startServer({ name, settings }, database.url);
  if (name !== WITHOUT_DATABASE) await verifyAnswers(server, database);
  return { server, database };
}

async function run({ server, database }, workload, seconds) {
  if (WORKLOADS[workload].writes) await database.reset();
  return runWorkload(server, workload, { pets: database.pets, seconds });
}

function ratioOf({ subject, peer }) {
  const isValid = [subject, peer].every(({ requests, errors }) => requests > 0 && errors === 0);
  return isValid ? subject.requestsPerSecond / peer.requestsPerSecond : undefined;
}
