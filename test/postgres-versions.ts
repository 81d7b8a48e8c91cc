/** `npm run test:postgres -- 15 17 18`: runs the tests of the database on several versions of PostgreSQL in turn. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
// Node runs this file without a build, so the imports use the real file names.
import { npmBinaries, canStartContainers } from './support/postgres-server.ts';

/** A PostgreSQL version on which to run the tests. */
interface PostgresVersion {
  readonly major: number;
  /** The folder of its programs, if they are already installed. */
  readonly folder?: string;
}

const ROOT = join(import.meta.dirname, '..');

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Options {
  readonly suites: readonly string[];
  readonly pattern?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
// PostgreSQL does not run as root, and its user must be able to find the programs in this folder.
chmodSync(folder, 0o755);
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
// The terminal also sends the signal to the tests, which then stop their server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

await new Command('npm run test:postgres --')
  .description('Runs the tests of the database on each of these versions of PostgreSQL.')
  .argument(
    '<versions...>',
    'major versions, as 17; or 15=<folder> with the folder of the programs, as /usr/lib/postgresql/15/bin',
    (text: string, before: PostgresVersion[] | undefined) => [...(before ?? []), parseVersion(text)],
  )
  .option('--suites <list>', 'of integration, e2e', parseSuites, ['integration', 'e2e'])
  .option('--pattern <text>', 'only the test files whose path matches it')
  .addHelpText(
    'after',
    '\nA version without a folder runs in Docker where an engine is, else from the programs that npm has of it.',
  )
  .action(runAll)
  .parseAsync();

/** Parses `17`, or `15=/usr/lib/postgresql/15/bin`. */
function parseVersion(text: string): PostgresVersion {
  const [, major, folder] = /^([1-9][0-9])(?:=(.+))?$/.exec(text) ?? [];
  if (major === undefined)
    throw new InvalidArgumentError('It takes a major version, as 17, or one with the folder of its programs.');
  return { major: Number(major), ...(folder !== undefined && { folder }) };
}

function parseSuites(text: string): string[] {
  const suites = text.split(',');
  if (suites.some((suite) => suite !== 'integration' && suite !== 'e2e')) {
    throw new InvalidArgumentError('It takes integration, e2e or both with a comma between.');
  }
  return suites;
}

async function runAll(versions: PostgresVersion[], options: Options): Promise<void> {
  const lines: string[] = [];
  for (const [index, version] of versions.entries()) {
    const title = `PostgreSQL ${version.major}`;
    const from = performance.now();
    const outcome = await run(version, options, `${title} (${index + 1} of ${versions.length})`).catch(
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const minutes = ((performance.now() - from) / 60_000).toFixed(1);
    if (typeof outcome === 'string' || outcome.failed > 0) process.exitCode = 1;
    lines.push(
      typeof outcome === 'string'
        ? `${title}: not run. ${outcome}`
        : `${title}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped, ${minutes} min`,
    );
    console.log(`\n${lines.at(-1)}`);
  }
  if (versions.length > 1) console.log(`\nAll versions:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

async function run(version: PostgresVersion, options: Options, title: string): Promise<Totals> {
  const server = serverOf(version);
  console.log(`\n${title}: ${Object.values(server).join()}`);
  const outputFile = join(mkdtempSync(join(folder, 'results-')), 'results.json');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const words = ['--selectProjects', ...options.suites, '--json', `--outputFile=${outputFile}`, '--'];
  const child = spawn(
    process.execPath,
    [...jest, ...words, ...(options.pattern === undefined ? [] : [options.pattern])],
    {
      cwd: ROOT,
      env: { ...process.env, TEST_DATABASE_URL: undefined, TEST_POSTGRES_BIN: undefined, ...server },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const stop = () => child.kill();
  process.once('exit', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', stop);
  const ending = `The tests ended with code ${code}, see above`;
  if (!existsSync(outputFile)) throw new Error(ending);
  const result = JSON.parse(readFileSync(outputFile, 'utf8')) as Record<string, number>;
  const totals = {
    passed: result['numPassedTests'] ?? 0,
    // A file that could not be loaded counts as one failed test.
    failed: (result['numFailedTests'] ?? 0) + (result['numRuntimeErrorTestSuites'] ?? 0),
    skipped: result['numPendingTests'] ?? 0,
  };
  // Jest also exits with an error code if it finds no test.
  if (code !== 0 && totals.failed === 0) throw new Error(ending);
  return totals;
}

/** The environment that makes `startPostgresServer` use this version. */
function serverOf({ major, folder: given }: PostgresVersion): Record<string, string> {
  if (given !== undefined) return { TEST_POSTGRES_BIN: checked(given, major) };
  if (canStartContainers()) return { TEST_POSTGRES_IMAGE: `postgres:${major}` };
  return { TEST_POSTGRES_BIN: checked(install(major), major) };
}

function checked(bin: string, major: number): string {
  if (!existsSync(join(bin, 'postgres'))) throw new Error(`There is no program "postgres" in ${bin}`);
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
  if (!version.includes(` ${major}.`)) throw new Error(`${bin} holds ${version}`);
  return bin;
}

/** @returns the folder of the programs, which is removed at the end of the run */
function install(major: number): string {
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
  const prefix = join(folder, String(major));
  const project = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  mkdirSync(prefix);
  writeFileSync(join(prefix, 'package.json'), JSON.stringify(project));
  npm('install', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error');
  return join(prefix, 'node_modules', name, 'native/bin');
}
