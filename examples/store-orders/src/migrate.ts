import { join } from 'node:path';
import { runMigrations } from '../../../apps/api/src/cli/run-migrations.js';

await runMigrations('npm run example:migrate', [join(import.meta.dirname, 'persistence/migrations')]);
