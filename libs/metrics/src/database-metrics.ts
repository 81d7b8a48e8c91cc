import type { BatcherStats, DatabaseHealth, DatabaseStats, PoolStats } from '@animal-store/persistence';
import { Counter, Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';
import { measureReplicas } from './replica-metrics.js';
import { measureShares } from './share-metrics.js';

const POOL: Readonly<Record<string, { help: string; read: (pool: PoolStats) => number }>> = {
  connections_max: { help: 'Connections to the database that may be open at most.', read: ({ max }) => max },
  connections_open: { help: 'Open connections to the database.', read: ({ total }) => total },
  connections_idle: { help: 'Open connections to the database that nobody uses.', read: ({ idle }) => idle },
  connections_waiting: {
    help: 'Statements and transactions that wait for a connection.',
    read: ({ waiting }) => waiting,
  },
  share_limit: {
    help: 'Connections that a feature may hold for transactions and entity managers.',
    read: ({ shareLimit }) => shareLimit,
  },
  oldest_wait_seconds: {
    help: 'For how long the one has waited for a connection that waits for longest; 0 where nobody waits.',
    read: ({ oldestWaitMs }) => oldestWaitMs / 1000,
  },
};

const BATCHERS: Readonly<Record<string, { help: string; read: (batcher: BatcherStats) => number }>> = {
  queue_length: { help: 'Calls that wait for a statement.', read: ({ waiting }) => waiting },
  queue_limit: { help: 'Waiting calls beyond which the next one is refused.', read: ({ maxQueue }) => maxQueue },
  statements_in_flight: { help: 'Shared statements under way.', read: ({ inFlight }) => inFlight },
  oldest_call_seconds: {
    help: 'Age of the oldest call that waits or is under way; 0 where there is none.',
    read: ({ oldestCallMs }) => oldestCallMs / 1000,
  },
};

/** Metrics of the database: whether it is ready, its connections and its batches. */
export function measureDatabase(registry: MetricsRegistry, load: DatabaseStats, health: DatabaseHealth): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_database_ready',
    help: '1 when the database answers and has every migration, 0 otherwise.',
    registers,
    async collect() {
      const ready = await health.check().then(
        () => 1,
        () => 0,
      );
      this.set(ready);
    },
  });
  new Counter({
    name: 'animal_store_database_errors_total',
    help: 'What the database could not do that it was asked for, by the reason. Replicas do not count.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, errors] of Object.entries(load.errors)) this.inc({ reason }, errors);
    },
  });
  for (const [name, { help, read }] of Object.entries(POOL)) {
    new Gauge({
      name: `animal_store_database_pool_${name}`,
      help,
      registers,
      async collect() {
        const pool = await load.pool();
        // Without a pool there is no value. A zero would be wrong.
        if (pool === undefined) this.remove();
        else this.set(read(pool));
      },
    });
  }
  new Counter({
    name: 'animal_store_idempotency_keys_total',
    help: 'Requests with an idempotency key, by what became of them: carried out first, replayed, or in conflict.',
    labelNames: ['statement', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [statement, { first, replayed, conflict }] of load.keyUses)
        for (const [outcome, uses] of Object.entries({ first, replayed, conflict }))
          this.inc({ statement, outcome }, uses);
    },
  });
  measureShares(registry, load);
  measureReplicas(registry, load);
  for (const [name, { help, read }] of Object.entries(BATCHERS)) {
    new Gauge({
      name: `animal_store_batch_${name}`,
      help,
      labelNames: ['statement'],
      registers,
      collect() {
        for (const [statement, batcher] of load.batchers) this.set({ statement }, read(batcher));
      },
    });
  }
  registry.registerHistogram({
    name: 'animal_store_batch_size',
    help: 'Calls that shared a statement.',
    read: () => [...load.batchers].map(([statement, { sizes }]) => ({ labels: { statement }, distribution: sizes })),
  });
}
