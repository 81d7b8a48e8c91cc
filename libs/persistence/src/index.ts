export { DatabaseModule } from './database.module.js';
export { isDatabaseUnavailable } from './database-errors.js';
export { DatabaseHealth } from './database.health.js';
export type { DatabaseSettings } from './database-settings.js';
export { migrateServer } from './migrate.js';
export { ReplicaWatch } from './replicas/replica-watch.js';
