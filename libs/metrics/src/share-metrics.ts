import type { DatabaseStats } from '@animal-store/persistence';
import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

/** The number of features with their own label. More features share one label. */
const MAX_FEATURES = 20;

const HELP = { held: 'Connections that a feature holds.', waiting: 'What waits until its feature holds fewer.' };

/** The label of a feature; `no request` for work outside of requests, `other` beyond the limit. */
function labelOf(feature: string, at: number): string {
  return at >= MAX_FEATURES ? 'other' : feature || 'no request';
}

/** Metrics of the connections that features hold or wait for. */
export function measureShares(registry: MetricsRegistry, load: DatabaseStats): void {
  for (const name of ['held', 'waiting'] as const) {
    new Gauge({
      name: `animal_store_database_pool_share_${name}`,
      help: HELP[name],
      labelNames: ['feature'],
      registers: [registry],
      async collect() {
        const { shares = [] } = (await load.pool()) ?? {};
        this.reset();
        for (const [at, share] of shares.entries()) this.inc({ feature: labelOf(share.feature, at) }, share[name]);
      },
    });
  }
}
