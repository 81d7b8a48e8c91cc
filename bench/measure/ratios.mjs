/** The subject against each peer, on each workload. What was measured is kept after each peer: all take most of an hour. */
import { verifyFreshness } from '../freshness.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { WITHOUT_DATABASE } from '../servers.mjs';
import { verifyAnswers } from '../verify.mjs';
import { WORKLOADS } from '../workloads.mjs';
import { comparePairs } from './compare.mjs';

const FRESHNESS_SECONDS = 3;

export async function measureRatios({
  subject: subjectName,
  peers,
  workloads,
  pairs,
  seconds,
  postgres,
  catalogue,
  keep,
}) {
  const comparisons = [];
  const freshness = {};
  for (const peerName of peers) {
    const subject = await startServer(subjectName, catalogue.url);
    const peer = await startServer(peerName, catalogue.url);
    for (const server of [subject, peer]) {
      if (server.name === WITHOUT_DATABASE || freshness[server.name] !== undefined) continue;
      await verifyAnswers(server, catalogue);
      freshness[server.name] = await verifyFreshness(server, catalogue, FRESHNESS_SECONDS);
      progress(`${server.name} answers rightly and showed ${freshness[server.name]} commits at once, under load`);
    }
    for (const workload of workloads) {
      if (!(WORKLOADS[workload].against ?? peers).includes(peerName)) continue;
      const measured = await comparePairs(subject, peer, workload, { postgres, catalogue, pairs, seconds });
      comparisons.push({ peer: peerName, workload, pairs: measured });
      if (WORKLOADS[workload].writes) await catalogue.reset();
    }
    await subject.stop();
    await peer.stop();
    keep({ comparisons, freshness });
  }
  return { comparisons, freshness };
}
