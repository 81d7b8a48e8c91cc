export { DatabaseHealth, PendingMigrationsError } from './database-health.js';
export { DatabaseModule } from './database.module.js';
export { DatabaseStats } from './database-stats.js';
export { DataFolderError } from './embedded/embedded-database.js';
export { isDatabaseUnavailable, rootCauseMessage } from './errors/database-errors.js';
export { translateDatabaseError, violatedConstraint } from './errors/translate-database-error.js';
export { migrateServer, TableInUseError } from './migrator/migrate-server.js';
export { TextArray } from './text-array.js';
export { lockAdditions } from './transactions/lock-additions.js';
