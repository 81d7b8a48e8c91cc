/** Evaluates the pairs of the ratios section, by peer and by workload. */
import { median } from '../statistics.mjs';

export class Comparisons {
  constructor(subject, comparisons) {
    this.subject = subject;
    this.comparisons = comparisons;
    this.peers = [...new Set(comparisons.map(({ peer }) => peer))];
    this.workloads = [...new Set(comparisons.map(({ workload }) => workload))];
  }

  pairs(peer, workload) {
    return this.comparisons.find((entry) => entry.peer === peer && entry.workload === workload)?.pairs ?? [];
  }

  /** Requests per second of the subject in units of the peer's requests per second. */
  ratio(peer, workload) {
    return median(this.pairs(peer, workload).map(({ ratio }) => ratio));
  }

  /** A latency of the subject in units of the peer's latency. */
  latencyRatio(peer, workload, percentile) {
    const valid = this.pairs(peer, workload).filter(({ ratio }) => ratio !== undefined);
    return median(valid.map((pair) => pair.subject[percentile] / pair.peer[percentile]));
  }

  /** The workloads on which a server was measured. */
  workloadsOf(server) {
    return this.workloads.filter((workload) => server === this.subject || this.pairs(server, workload).length > 0);
  }

  /** Requests per second of a server in units of `baseline`'s. The ratio of two peers is computed from their ratios to the subject. */
  relativeTo(baseline, server, workload) {
    if (server === baseline) return 1;
    const toBaseline = baseline === this.subject ? 1 : this.ratio(baseline, workload);
    const toServer = server === this.subject ? 1 : this.ratio(server, workload);
    return toBaseline === undefined || toServer === undefined ? undefined : toBaseline / toServer;
  }

  /** The median of a figure over all valid runs of a server. */
  figure(server, workload, name) {
    const runs = this.comparisons
      .filter((entry) => entry.workload === workload && (server === this.subject || entry.peer === server))
      .flatMap(({ pairs }) => pairs.map((pair) => (server === this.subject ? pair.subject : pair.peer)));
    return median(runs.filter(({ valid }) => valid).map((run) => run[name] ?? undefined));
  }

  /** The runs that do not count because requests failed. */
  invalidRuns() {
    return this.comparisons.flatMap(({ peer, workload, pairs }) =>
      pairs.flatMap((pair) =>
        [
          [this.subject, pair.subject],
          [peer, pair.peer],
        ]
          .filter(([, run]) => !run.valid)
          .map(([server, run]) => ({ server, workload, requests: run.requests, errorKinds: run.errorKinds })),
      ),
    );
  }
}
