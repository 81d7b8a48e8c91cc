import type { Registry } from 'prom-client';

/** How often values fell into which range: what a Prometheus histogram is made of. */
export interface Distribution {
  /** Upper bounds, inclusive, in ascending order. */
  readonly bounds: readonly number[];
  /** One for each bound, not added up, and one for what lies beyond the last. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A distribution of durations, in seconds. */
export class DurationDistribution implements Distribution {
  readonly bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  readonly counts: number[] = new Array<number>(this.bounds.length + 1).fill(0);
  sum = 0;

  add(seconds: number): void {
    let index = 0;
    while (index < this.bounds.length && seconds > (this.bounds[index] ?? Infinity)) index += 1;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** One line of a histogram: the values that carry these labels. */
export interface LabelledDistribution {
  readonly labels: Readonly<Record<string, string>>;
  readonly distribution: Distribution;
}

/**
 * Registers a histogram that is read when it is scraped. prom-client's own looks its labels up by their text for every
 * value, which costs more than everything else that is measured of a request.
 */
export function registerHistogram(
  registry: Registry,
  { name, help, read }: { name: string; help: string; read: () => Iterable<LabelledDistribution> },
): void {
  const get = () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...read()].flatMap((line) => valuesOf(name, line)),
  });
  // The registry asks no more of a metric than this; its type knows prom-client's own classes alone.
  registry.registerMetric({ name, get: () => Promise.resolve(get()) } as unknown as Parameters<
    Registry['registerMetric']
  >[0]);
}

function valuesOf(name: string, { labels, distribution: { bounds, counts, sum } }: LabelledDistribution) {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
