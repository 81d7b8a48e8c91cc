/** Compares the subject with each peer, on each workload. Keeps the results after each peer: all peers take most of an hour. */
import { verifyFreshness } from '../freshness.mjs';
import { verifyFreshOrders } from '../orders/freshness.mjs';
import { verifyOrders } from '../orders/verify.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { ORDERS, PETS, WITHOUT_DATABASE } from '../servers.mjs';
import { verifyAnswers } from '../verify.mjs';
import { applicationOf, WORKLOADS } from '../workloads.mjs';
import { comparePairs, reportRatio } from './compare.mjs';

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

/**
 * Of two servers of the same build, the one that was started first is slower by 2 to 4 %. So each server is started first for half
 * of the pairs.
 */
async function measurePeer(peerName, workloads, { pairs, ...context }, measured) {
  const comparisons = workloads.map((workload) => ({ peer: peerName, workload, pairs: [] }));
  measured.comparisons.push(...comparisons);
  const shares = [Math.ceil(pairs / 2), Math.floor(pairs / 2)].filter((share) => share > 0);
  for (const [index, share] of shares.entries()) {
    const servers = await startBoth(peerName, context, index === 0);
    await verify(servers, context, measured);
    for (const comparison of comparisons) {
      comparison.pairs.push(...(await comparePairs(...servers, comparison.workload, { ...context, pairs: share })));
      if (WORKLOADS[comparison.workload].writes) await context.catalogue.reset();
    }
    for (const server of servers) await server.stop();
  }
  if (shares.length < 2) return;
  for (const { workload, pairs: all } of comparisons) {
    reportRatio(workload, `${context.subject} : ${peerName}`, all, `all ${all.length} pairs`);
  }
}

/** @returns the subject and the peer */
async function startBoth(peerName, { subject, application, catalogue }, isSubjectFirst) {
  const start = (name) => startServer(name, catalogue.url, {}, application);
  if (isSubjectFirst) return [await start(subject), await start(peerName)];
  const peer = await start(peerName);
  return [await start(subject), peer];
}

async function verify(servers, { application, catalogue }, { freshness }) {
  for (const server of servers) {
    const label = application === ORDERS ? `${server.name} with orders` : server.name;
    if (server.name === WITHOUT_DATABASE || freshness[label] !== undefined) continue;
    await VERIFICATIONS[application].answers(server, catalogue);
    freshness[label] = await VERIFICATIONS[application].freshness(server, catalogue, FRESHNESS_SECONDS);
    progress(`${label} answers rightly and showed ${freshness[label]} commits at once, under load`);
  }
}
