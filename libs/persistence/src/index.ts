export { DatabaseModule } from './database.module.js';
export { isDatabaseUnavailable } from './database-errors.js';
export { DatabaseHealth } from './database.health.js';
export { DatabaseLoad, type PoolLoad } from './database.load.js';
export type { BatchTracing } from './batching/batch-tracing.js';
export type { BatcherLoad } from './batching/batcher-load.js';
export type { DatabaseSettings } from './database-settings.js';
export { migrateServer } from './migrate.js';
export { ReplicaWatch } from './replicas/replica-watch.js';
