import type { LabelledDistribution } from './distribution.js';

/** A histogram that is read when it is scraped. */
export interface ScrapedHistogram {
  readonly name: string;
  readonly help: string;
  readonly read: () => Iterable<LabelledDistribution>;
}
