import { progress } from '../progress.mjs';
import { median } from '../statistics.mjs';
import { WORKLOADS } from '../workloads.mjs';
import { measureRun } from './run.mjs';
import { warmUp } from './warm-up.mjs';

/**
 * Measures two running servers in turn: A B B A and so on. Noise of the machine most likely affects two adjacent runs
 * alike, so each adjacent pair gives a ratio. The result is the median of the ratios.
 *
 * @returns every pair as `{ order, subject, peer, ratio }`
 */
export async function comparePairs(
  subject,
  peer,
  workload,
  { pairs, label = `${subject.name} : ${peer.name}`, ...context },
) {
  for (const server of [subject, peer]) {
    if (WORKLOADS[workload].claims) await context.catalogue.reset();
    await warmUp(server, workload, { pets: context.catalogue.pets });
  }
  const measured = [];
  for (let index = 0; index < pairs; index++) {
    const order = index % 2 === 0 ? [subject, peer] : [peer, subject];
    const runs = new Map();
    for (const server of order) runs.set(server, await measureRun(server, workload, context));
    measured.push(toPair(runs.get(subject), runs.get(peer), index % 2 === 0 ? 'A B' : 'B A'));
  }
  const ratios = measured.map(({ ratio }) => (ratio === undefined ? 'invalid' : ratio.toFixed(2)));
  reportRatio(workload, label, measured, ratios.join(' '));
  return measured;
}

/** Prints the median of the ratios of some pairs. @param detail printed behind it, in parentheses */
export function reportRatio(workload, label, pairs, detail) {
  progress(`${workload.padEnd(9)} ${label}  ${median(pairs.map(({ ratio }) => ratio))?.toFixed(2)}  (${detail})`);
}

/** Adds the ratio of the throughputs to a pair; a pair with an invalid run has no ratio. */
function toPair(subject, peer, order) {
  const ratio = subject.valid && peer.valid ? subject.requestsPerSecond / peer.requestsPerSecond : undefined;
  return { order, subject, peer, ratio };
}
