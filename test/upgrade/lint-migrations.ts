/**
 * `npm run lint:migrations`: refuses migrations with which the previous version could not run. It checks the migrations that came after
 * the version in version-before.json. The other migrations are released: it only checks that they still exist.
 *
 *     npm run lint:migrations -- --released 1.1.0    makes the current commit the previous version
 */
import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModule } from 'libpg-query';
// Node runs this file without a build, so the imports name the TypeScript files.
import { migrationFiles } from '../../libs/persistence/src/migrator/migration-files.ts';
import { checkMigration, type Finding } from './migration-check.ts';
import { readMigration } from './read-migration.ts';
import { readVersionBefore, VERSION_BEFORE_FILE } from './version-before.ts';

const ROOT = join(import.meta.dirname, '../..');

const { released } = parseArgs({ options: { released: { type: 'string' } } }).values;
const examples = globSync('examples/*/src/**/migrations', { cwd: ROOT }).map((path) => join(ROOT, path));
const files = migrationFiles(examples);
const names = files.map((path) => basename(path, '.ts'));
if (released === undefined) await lint();
else release(released);

async function lint(): Promise<void> {
  await loadModule();
  const { version, migrations } = readVersionBefore();
  const gone = migrations.filter((name) => !names.includes(name));
  for (const name of gone) console.error(`${name}: it was released with ${version}, so it stays as it was`);
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
      `Version ${version} serves while these run, and may have to serve again (CONTRIBUTING.md, "Migrations"). What is right all ` +
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

function release(version: string): void {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  writeFileSync(VERSION_BEFORE_FILE, `${JSON.stringify({ version, commit, migrations: names }, null, 2)}\n`);
  console.log(`The version before is ${version}, at ${commit}`);
}
