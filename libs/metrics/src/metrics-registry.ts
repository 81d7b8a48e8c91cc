import { Registry } from 'prom-client';
import { textOf } from './histogram-text.js';
import type { ScrapedHistogram } from './scraped-histogram.js';

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
