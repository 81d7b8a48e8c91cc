import type { BatcherLoad, DatabaseHealth, DatabaseLoad, PoolLoad } from '@animal-store/persistence';
import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './distribution.js';

const POOL: Readonly<Record<string, { help: string; read: (pool: PoolLoad) => number }>> = {
  max: { help: 'Connections to the database that may be open at most.', read: ({ max }) => max },
  open: { help: 'Open connections to the database.', read: ({ total }) => total },
  idle: { help: 'Open connections to the database that nobody uses.', read: ({ idle }) => idle },
  waiting: { help: 'Statements and transactions that wait for a connection.', read: ({ waiting }) => waiting },
};

const BATCHERS: Readonly<Record<string, { help: string; read: (batcher: BatcherLoad) => number }>> = {
  queue_length: { help: 'Calls that wait for a statement.', read: ({ waiting }) => waiting },
  queue_limit: { help: 'Waiting calls beyond which the next one is refused.', read: ({ maxQueue }) => maxQueue },
  statements_in_flight: { help: 'Shared statements under way.', read: ({ inFlight }) => inFlight },
};

/** Measures the way to the database: whether it can serve, its connections, and the batches that calls travel in. */
export function measureDatabase(registry: MetricsRegistry, load: DatabaseLoad, health: DatabaseHealth): void {
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
  for (const [name, { help, read }] of Object.entries(POOL)) {
    new Gauge({
      name: `animal_store_database_pool_connections_${name}`,
      help,
      registers,
      async collect() {
        const pool = await load.pool();
        // An absent value says that there is none; a zero would be a lie.
        if (pool === undefined) this.remove();
        else this.set(read(pool));
      },
    });
  }
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
