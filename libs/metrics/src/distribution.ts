/** The number of values in each range: the data of a Prometheus histogram. */
export interface Distribution {
  /** Upper bounds, inclusive, in ascending order. */
  readonly bounds: readonly number[];
  /** One for each bound, not added up, and one for what lies beyond the last. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** The values of a histogram with these labels. */
export interface LabelledDistribution {
  readonly labels: Readonly<Record<string, string>>;
  readonly distribution: Distribution;
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
