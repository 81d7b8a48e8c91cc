import { runMigrations } from './run-migrations.js';

await runMigrations('npm run db:migrate');
