/** `npm run test:postgres -- 15 17 18`: runs the tests of the database on several versions of PostgreSQL in turn. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Node runs this file without a build, so the imports use the real file names.
import { npmBinaries, canStartContainers } from './support/postgres-server.ts';

const ROOT = join(import.meta.dirname, '..');

const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
// PostgreSQL does not run as root, and its user must be able to find the programs in this folder.
chmodSync(folder, 0o755);
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Major versions, as `17`, or `15=/usr/lib/postgresql/15/bin` with the folder of the programs. */
const versions = process.argv.slice(2).map((text) => /^(?<major>[1-9][0-9])(?:=(?<programs>.+))?$/.exec(text)?.groups);
if (versions.length === 0 || versions.includes(undefined)) {
  console.error('Usage: npm run test:postgres -- 15=/usr/lib/postgresql/15/bin 17 18');
  process.exit(64);
}

const outcomes: string[] = [];
for (const { major = '', programs } of versions as Record<string, string>[]) {
  console.log(`\nPostgreSQL ${major}`);
  const words = ['run', 'test:run', '--silent', '--', '--selectProjects', 'integration', 'e2e', '--'];
  const env = {
    ...process.env,
    TEST_DATABASE_URL: undefined,
    TEST_POSTGRES_BIN: undefined,
    ...serverOf(major, programs),
  };
  const { status } = spawnSync('npm', words, { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  outcomes.push(`PostgreSQL ${major}: ${status === 0 ? 'passed' : 'failed'}`);
}
console.log(`\n${outcomes.join('\n')}`);

/** The environment that makes `startPostgresServer` use this version. */
function serverOf(major: string, given?: string): Record<string, string> {
  if (given !== undefined) return { TEST_POSTGRES_BIN: checked(given, major) };
  if (canStartContainers()) return { TEST_POSTGRES_IMAGE: `postgres:${major}` };
  return { TEST_POSTGRES_BIN: checked(install(major), major) };
}

function checked(bin: string, major: string): string {
  if (!existsSync(join(bin, 'postgres'))) throw new Error(`There is no program "postgres" in ${bin}`);
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
  if (!version.includes(` ${major}.`)) throw new Error(`${bin} holds ${version}`);
  return bin;
}

/** @returns the folder of the programs, which is removed at the end of the run */
function install(major: string): string {
  const name = npmBinaries();
  const npm = (...words: string[]) => {
    // npm reports the details of a failure on its standard error.
    return execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  };
  // npm lists the versions from oldest to newest.
  const versions = JSON.parse(npm('view', name, 'versions', '--json')) as string[];
  const version = versions.findLast((each) => each.startsWith(`${major}.`));
  if (version === undefined) {
    const majors = new Set(versions.map((each) => each.split('.')[0]));
    throw new Error(`npm has no PostgreSQL ${major}, only ${[...majors].join(', ')}`);
  }
  console.log(`Installing ${name} ${version} into a temporary folder`);
  const prefix = join(folder, major);
  const project = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  mkdirSync(prefix);
  writeFileSync(join(prefix, 'package.json'), JSON.stringify(project));
  npm('install', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error');
  return join(prefix, 'node_modules', name, 'native/bin');
}
