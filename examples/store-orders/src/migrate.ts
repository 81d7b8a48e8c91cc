import { join } from 'node:path';
import { runMigrations } from '../../../apps/api/src/cli/migrate.js';

await runMigrations([join(import.meta.dirname, 'migrations')]);
