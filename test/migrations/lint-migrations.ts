/** `npm run lint:migrations`: refuses migrations with which the previous version could not run. */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadModule } from 'libpg-query';
// Node runs this file without a build, so the imports name the TypeScript files.
import { migrationFiles } from '../../libs/persistence/src/migrator/migrator.ts';
import { checkMigration, type Finding } from './migration-check.ts';
import { readMigration } from './read-migration.ts';

const ROOT = join(import.meta.dirname, '../..');

await loadModule();
const examples = globSync('examples/*/src/**/migrations', { cwd: ROOT }).map((path) => join(ROOT, path));
for (const path of migrationFiles(examples))
  for (const { rule, statement, reason } of await findingsIn(path)) {
    console.error(`${relative(ROOT, path)}\n  ${rule}: ${statement}\n  ${reason}.\n`);
    process.exitCode = 1;
  }
if (process.exitCode === 1) {
  console.error(
    'The version before serves while these run, and may have to serve again (CONTRIBUTING.md, "Migrations"). What is right all ' +
      'the same is excused in the statement: -- exempt <rule>: <reason>',
  );
}

async function findingsIn(path: string): Promise<Finding[]> {
  try {
    return checkMigration(await readMigration(path));
  } catch (error) {
    return [{ rule: 'unknown', statement: 'up()', reason: error instanceof Error ? error.message : String(error) }];
  }
}
