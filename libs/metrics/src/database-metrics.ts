import type { BatcherStats, DatabaseHealth, DatabaseStats, PoolStats } from '@animal-store/persistence';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

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

/** The upper bounds of the sizes of batches, in calls. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** The number of features with their own label. More features share one label. */
const MAX_FEATURES = 20;

const SHARES = { held: 'Connections that a feature holds.', waiting: 'What waits until its feature holds fewer.' };

/** Metrics of the database: whether it is ready, its connections and its batches. */
export function measureDatabase(registry: Registry, load: DatabaseStats, health: DatabaseHealth): void {
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
      collect() {
        const pool = load.pool();
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
    async collect() {
      const expiry = load.pool()?.certificateExpiry;
      if (expiry === undefined) this.remove();
      else this.set(expiry);
    },
  });
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
  const batchSizes = new Histogram({
    name: 'animal_store_batch_size',
    help: 'Calls that shared a statement.',
    labelNames: ['statement'],
    buckets: BATCH_SIZES,
    registers,
  });
  load.measureBatches((statement, calls) => {
    batchSizes.observe({ statement }, calls);
  });
}

/** Metrics of the connections that features hold or wait for. */
function measureShares(registry: Registry, load: DatabaseStats): void {
  for (const name of ['held', 'waiting'] as const) {
    new Gauge({
      name: `animal_store_database_pool_share_${name}`,
      help: SHARES[name],
      labelNames: ['feature'],
      registers: [registry],
      collect() {
        const { shares = [] } = load.pool() ?? {};
        this.reset();
        for (const [at, share] of shares.entries()) this.inc({ feature: featureLabel(share.feature, at) }, share[name]);
      },
    });
  }
}

/** The label of a feature; `no request` for work outside of requests, `other` beyond the limit. */
function featureLabel(feature: string, at: number): string {
  return at >= MAX_FEATURES ? 'other' : feature || 'no request';
}

/** Metrics of the replicas: whether they are read from, and how far they are behind. */
function measureReplicas(registry: Registry, load: DatabaseStats): void {
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
