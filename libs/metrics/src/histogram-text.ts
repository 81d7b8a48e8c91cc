import type { LabelledDistribution } from './distribution.js';
import type { ScrapedHistogram } from './scraped-histogram.js';

/** The histogram in the text format of Prometheus. */
export function textOf({ name, help, read }: ScrapedHistogram): string {
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
