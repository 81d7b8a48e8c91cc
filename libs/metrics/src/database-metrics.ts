import type { BatcherStats, DatabaseHealth, DatabaseStats, PoolStats } from '@animal-store/persistence';
import { Counter, Gauge, type Registry } from 'prom-client';

type Readings<Source> = Readonly<Record<string, { help: string; read: (source: Source) => number | undefined }>>;

const POOL: Readings<PoolStats> = {
  animal_store_database_pool_connections_max: {
    help: 'The maximum number of open connections to the database.',
    read: ({ max }) => max,
  },
  animal_store_database_pool_connections_open: {
    help: 'Open connections to the database.',
    read: ({ total }) => total,
  },
  animal_store_database_pool_connections_idle: {
    help: 'Open connections to the database that are idle.',
    read: ({ idle }) => idle,
  },
  animal_store_database_pool_connections_waiting: {
    help: 'Statements and transactions that wait for a connection.',
    read: ({ waiting }) => waiting,
  },
  animal_store_database_certificate_expiry_timestamp_seconds: {
    help: 'When the certificate of the database ends, in seconds since 1970. Absent without TLS.',
    read: ({ certificateExpiry }) => certificateExpiry,
  },
};

const BATCHERS: Readings<BatcherStats> = {
  animal_store_batch_queue_length: { help: 'Calls that wait for a statement.', read: ({ waiting }) => waiting },
  animal_store_batch_oldest_call_seconds: {
    help: 'The age of the oldest call that waits or is in flight, in seconds; 0 if there is none.',
    read: ({ oldestCallMs }) => oldestCallMs / 1000,
  },
};

/** Metrics of the database: whether it is ready, its errors, its connections, and the calls that wait for it. */
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
      name,
      help,
      registers,
      collect() {
        const pool = stats.pool();
        const value = pool === undefined ? undefined : read(pool);
        // Without a pool there is no value. A zero would be wrong.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
  for (const [name, { help, read }] of Object.entries(BATCHERS)) {
    new Gauge({
      name,
      help,
      labelNames: ['statement'],
      registers,
      collect() {
        for (const [statement, batcher] of stats.batchers) this.set({ statement }, read(batcher) ?? 0);
      },
    });
  }
}
