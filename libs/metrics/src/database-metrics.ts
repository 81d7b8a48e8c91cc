import type { BatcherStats, DatabaseHealth, DatabaseStats, PoolStats } from '@animal-store/persistence';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const POOL: Readonly<Record<string, { help: string; read: (pool: PoolStats) => number }>> = {
  connections_max: { help: 'The maximum number of open connections to the database.', read: ({ max }) => max },
  connections_open: { help: 'Open connections to the database.', read: ({ total }) => total },
  connections_idle: { help: 'Open connections to the database that are idle.', read: ({ idle }) => idle },
  connections_waiting: {
    help: 'Statements and transactions that wait for a connection.',
    read: ({ waiting }) => waiting,
  },
};

const BATCHERS: Readonly<Record<string, { help: string; read: (batcher: BatcherStats) => number }>> = {
  queue_length: { help: 'Calls that wait for a statement.', read: ({ waiting }) => waiting },
  statements_in_flight: { help: 'Shared statements that are in flight.', read: ({ inFlight }) => inFlight },
  oldest_call_seconds: {
    help: 'The age of the oldest call that waits or is in flight, in seconds; 0 if there is none.',
    read: ({ oldestCallMs }) => oldestCallMs / 1000,
  },
};

/** The upper bounds of the sizes of batches, in calls. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Metrics of the database: whether it is ready, its connections and its batches. */
export function measureDatabase(registry: Registry, stats: DatabaseStats, health: DatabaseHealth): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_database_ready',
    help: '1 if the database responds and has all migrations, otherwise 0.',
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
    help: 'Failed operations of the database, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, errors] of Object.entries(stats.errors)) this.inc({ reason }, errors);
    },
  });
  for (const [name, { help, read }] of Object.entries(POOL)) {
    new Gauge({
      name: `animal_store_database_pool_${name}`,
      help,
      registers,
      collect() {
        const pool = stats.pool();
        // Without a pool there is no value. A zero would be wrong.
        if (pool === undefined) this.remove();
        else this.set(read(pool));
      },
    });
  }
  new Gauge({
    name: 'animal_store_database_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of the database ends, in seconds since 1970. Absent without TLS.',
    registers,
    collect() {
      const expiry = stats.pool()?.certificateExpiry;
      if (expiry === undefined) this.remove();
      else this.set(expiry);
    },
  });
  new Counter({
    name: 'animal_store_idempotency_keys_total',
    help: 'Requests with an idempotency key, by outcome: first, replayed, or conflict.',
    labelNames: ['statement', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [statement, { first, replayed, conflict }] of stats.keyUses)
        for (const [outcome, uses] of Object.entries({ first, replayed, conflict }))
          this.inc({ statement, outcome }, uses);
    },
  });
  for (const [name, { help, read }] of Object.entries(BATCHERS)) {
    new Gauge({
      name: `animal_store_batch_${name}`,
      help,
      labelNames: ['statement'],
      registers,
      collect() {
        for (const [statement, batcher] of stats.batchers) this.set({ statement }, read(batcher));
      },
    });
  }
  const batchSizes = new Histogram({
    name: 'animal_store_batch_size',
    help: 'Calls that shared a statement.',
    labelNames: ['statement'],
    buckets: BATCH_SIZES,
    registers,
  });
  stats.measureBatches((statement) => {
    const sizes = batchSizes.labels({ statement });
    return sizes.observe.bind(sizes);
  });
}
