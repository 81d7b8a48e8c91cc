import type { DatabaseStats } from '@animal-store/persistence';
import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

/** Metrics of the replicas: whether they are read from, and how far they are behind. */
export function measureReplicas(registry: MetricsRegistry, load: DatabaseStats): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_replica_serving',
    help: '1 while the replica is read from, 0 otherwise.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, serving } of load.replicas) this.set({ replica: name }, Number(serving));
    },
  });
  new Gauge({
    name: 'animal_store_replica_lag_seconds',
    help: 'Age of the oldest change of the primary that the replica does not show; 0 where it shows all.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, lagMs } of load.replicas) if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1000);
    },
  });
}
