/**
 * `npm run lint:migrations`: refuses migrations with which the previous version could not run. It checks those that are not in
 * released.json. The others are released: it only checks that they still exist.
 *
 *     npm run lint:migrations -- --released    all migrations are released from now on
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModule } from 'libpg-query';
// Node runs this file without a build, so the imports name the TypeScript files.
import { migrationFiles } from '../../libs/persistence/src/migrator/migrator.ts';
import { checkMigration, type Finding } from './migration-check.ts';
import { readMigration } from './read-migration.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The names of the released migrations. */
const RELEASED = join(import.meta.dirname, 'released.json');

const { released = false } = parseArgs({ options: { released: { type: 'boolean' } } }).values;
const examples = globSync('examples/*/src/**/migrations', { cwd: ROOT }).map((path) => join(ROOT, path));
const files = migrationFiles(examples);
const names = files.map((path) => basename(path, '.ts'));
if (released) writeFileSync(RELEASED, `${JSON.stringify(names)}\n`);
else await lint();

async function lint(): Promise<void> {
  await loadModule();
  const migrations = JSON.parse(readFileSync(RELEASED, 'utf8')) as string[];
  const gone = migrations.filter((name) => !names.includes(name));
  for (const name of gone) console.error(`${name}: it was released, so it stays as it was`);
  const newTables = new Set<string>();
  let refused = 0;
  for (const path of files.filter((file) => !migrations.includes(basename(file, '.ts')))) {
    const findings = await findingsIn(path, newTables);
    refused += findings.length;
    for (const { rule, statement, reason } of findings)
      console.error(`${relative(ROOT, path)}\n  ${rule}: ${statement}\n  ${reason}.\n`);
  }
  if (gone.length + refused === 0) return;
  if (refused > 0) {
    console.error(
      'The version before serves while these run, and may have to serve again (CONTRIBUTING.md, "Migrations"). What is right all ' +
        'the same is excused in the statement: -- exempt <rule>: <reason>',
    );
  }
  process.exitCode = 1;
}

async function findingsIn(path: string, newTables: Set<string>): Promise<Finding[]> {
  try {
    return checkMigration(await readMigration(path), newTables);
  } catch (error) {
    return [{ rule: 'unknown', statement: 'up()', reason: error instanceof Error ? error.message : String(error) }];
  }
}
