/**
 * Runs the tests of a project whose choices a seed decides: `npm run test:chaos -- --seed 42 --minutes 5`,
 * `npm run test:soak -- --minutes 10`.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** The default duration of each run in minutes, without its start and its final checks. */
const MINUTES: Readonly<Record<string, number>> = { chaos: 5, soak: 60 };

interface Options {
  readonly seed?: number;
  readonly minutes?: number;
}

await new Command('node test/seeded-run.ts')
  .description('Runs the tests of a project whose choices a seed decides.')
  .argument('<project>', `one of ${Object.keys(MINUTES).join(', ')}`, parseProject)
  .option('--seed <number>', 'makes the same choices in the same order as the run that printed it', parseNumber)
  .option('--minutes <number>', 'how long the run lasts', parseNumber)
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
  { seed = randomInt(1_000_000), minutes = MINUTES[project]! }: Options,
): Promise<void> {
  console.log(`${project}: --seed ${seed} --minutes ${minutes}`);
  const words = ['--selectProjects', project, '--runInBand', '--testTimeout', '600000'];
  const child = spawn(process.execPath, [...JEST, ...words], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: String(seed), TEST_MINUTES: String(minutes) },
    stdio: 'inherit',
  });
  // The terminal also sends the signal to the tests, which then stop their servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
