/**
 * Runs the tests of a project whose choices a seed decides: `npm run test:chaos -- --seed 42 --minutes 5`,
 * `npm run test:soak -- --minutes 10`, `npm run test:properties -- --seed 7 --runs 5000 catalogue`.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** The default duration of each run in minutes, without its start and its final checks; that of a property is its number of runs. */
const MINUTES: Readonly<Record<string, number>> = { chaos: 5, soak: 60, properties: 0 };

interface Options {
  readonly seed?: number;
  readonly minutes?: number;
  readonly runs?: number;
  readonly path?: string;
  readonly title?: string;
}

await new Command('node test/seeded-run.ts')
  .description('Runs the tests of a project whose choices a seed decides.')
  .argument('<project>', `one of ${Object.keys(MINUTES).join(', ')}`, parseProject)
  .argument('[patterns...]', 'only the test files whose path matches one of them')
  .option('--seed <number>', 'makes the same choices in the same order as the run that printed it', parseNumber)
  .option('--minutes <number>', 'how long chaos and soak last', parseNumber)
  .option('--runs <number>', 'how many runs each property has, in the place of its own number', parseNumber)
  .option('--path <path>', 'the run of a property that failed, as the failure names it')
  .option('--title <text>', 'only the tests whose title matches')
  .action(run)
  .parseAsync();

function parseProject(text: string): string {
  if (!(text in MINUTES)) throw new InvalidArgumentError(`It takes one of ${Object.keys(MINUTES).join(', ')}.`);
  return text;
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It takes a number.');
  return value;
}

async function run(
  project: string,
  patterns: string[],
  { seed = randomInt(1_000_000), minutes = MINUTES[project]!, runs, path, title }: Options,
): Promise<void> {
  console.log(`${project}: --seed ${seed}${minutes > 0 ? ` --minutes ${minutes}` : ''}`);
  const words = ['--selectProjects', project, '--runInBand', '--testTimeout', '600000'];
  if (title !== undefined) words.push('--testNamePattern', title);
  const child = spawn(process.execPath, [...JEST, ...words, '--', ...patterns], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_SEED: String(seed),
      TEST_MINUTES: String(minutes),
      TEST_RUNS: runs?.toString(),
      TEST_PATH: path,
    },
    stdio: 'inherit',
  });
  // The terminal also sends the signal to the tests, which then stop their servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
