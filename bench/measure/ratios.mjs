/** Compares the subject with each peer, on each workload. Keeps the results after each peer: all peers take most of an hour. */
import { verifyFreshness } from '../freshness.mjs';
import { verifyFreshOrders } from '../orders/freshness.mjs';
import { verifyOrders } from '../orders/verify.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { ORDERS, PETS, WITHOUT_DATABASE } from '../servers.mjs';
import { verifyAnswers } from '../verify.mjs';
import { applicationOf, WORKLOADS } from '../workloads.mjs';
import { comparePairs } from './compare.mjs';

const FRESHNESS_SECONDS = 3;

/** The functions that verify the answers of a server, by program. */
const VERIFICATIONS = {
  [PETS]: { answers: verifyAnswers, freshness: verifyFreshness },
  [ORDERS]: { answers: verifyOrders, freshness: verifyFreshOrders },
};

export async function measureRatios({ peers, workloads, catalogue, orders, keep, ...context }) {
  const measured = { comparisons: [], freshness: {} };
  for (const peer of peers) {
    const against = workloads.filter((workload) => (WORKLOADS[workload].against ?? peers).includes(peer));
    for (const [application, database] of Object.entries({ [PETS]: catalogue, [ORDERS]: orders })) {
      const chosen = against.filter((workload) => applicationOf(workload) === application);
      if (chosen.length > 0) {
        await measurePeer(peer, chosen, { ...context, application, catalogue: database }, measured);
        keep(measured);
      }
    }
  }
  return measured;
}

async function measurePeer(
  peerName,
  workloads,
  { subject: subjectName, application, catalogue, ...context },
  measured,
) {
  const subject = await startServer(subjectName, catalogue.url, {}, application);
  const peer = await startServer(peerName, catalogue.url, {}, application);
  for (const server of [subject, peer]) {
    const label = application === ORDERS ? `${server.name} with orders` : server.name;
    if (server.name === WITHOUT_DATABASE || measured.freshness[label] !== undefined) continue;
    await VERIFICATIONS[application].answers(server, catalogue);
    measured.freshness[label] = await VERIFICATIONS[application].freshness(server, catalogue, FRESHNESS_SECONDS);
    progress(`${label} answers rightly and showed ${measured.freshness[label]} commits at once, under load`);
  }
  for (const workload of workloads) {
    const pairs = await comparePairs(subject, peer, workload, { ...context, catalogue });
    measured.comparisons.push({ peer: peerName, workload, pairs });
    if (WORKLOADS[workload].writes) await catalogue.reset();
  }
  await subject.stop();
  await peer.stop();
}
