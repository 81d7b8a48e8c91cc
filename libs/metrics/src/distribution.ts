import { Registry } from 'prom-client';

/** The number of values in each range: the data of a Prometheus histogram. */
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

/** The values of a histogram with these labels. */
export interface LabelledDistribution {
  readonly labels: Readonly<Record<string, string>>;
  readonly distribution: Distribution;
}

/** A histogram that is read when it is scraped. */
export interface ScrapedHistogram {
  readonly name: string;
  readonly help: string;
  readonly read: () => Iterable<LabelledDistribution>;
}

/**
 * A registry with its own histograms, in addition to the metrics of prom-client. A histogram of prom-client looks up its labels by
 * their text for every value, which costs more than all other measurements of a request.
 */
export class MetricsRegistry extends Registry {
  private readonly histograms: ScrapedHistogram[] = [];

  registerHistogram(histogram: ScrapedHistogram): void {
    this.histograms.push(histogram);
  }

  /** The metrics in the text format of Prometheus. */
  override async metrics(): Promise<string> {
    return [await super.metrics(), ...this.histograms.map(textOf)].join('\n');
  }
}

function textOf({ name, help, read }: ScrapedHistogram): string {
  const lines = [...read()].flatMap((line) => linesOf(name, line));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}

function linesOf(name: string, { labels, distribution: { bounds, counts, sum } }: LabelledDistribution): string[] {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    return sample(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? '+Inf') }, count);
  });
  return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, count)];
}

function sample(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
}

/** Escapes the value of a label (Prometheus, "Text-based format"). */
function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
