/** `npm run test:chaos -- --seed 42 --minutes 5`, `npm run test:soak -- --minutes 10`: runs of a given duration. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** The default duration of each run in minutes, without its start and its final checks. */
const PROJECTS: Readonly<Record<string, number>> = { chaos: 5, soak: 60 };

interface Options {
  readonly seed?: number;
  readonly minutes?: number;
}

await new Command('node test/timed-run.ts')
  .description('Runs the tests of a project that lasts as long as it is told to.')
  .argument('<project>', `one of ${Object.keys(PROJECTS).join(', ')}`, parseProject)
  .option('--seed <number>', 'makes the same choices in the same order as the run that printed it', parseNumber)
  .option('--minutes <number>', `how long it lasts: ${JSON.stringify(PROJECTS)} unless told otherwise`, parseNumber)
  .action(run)
  .parseAsync();

function parseProject(text: string): string {
  if (!(text in PROJECTS)) throw new InvalidArgumentError(`It takes one of ${Object.keys(PROJECTS).join(', ')}.`);
  return text;
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new InvalidArgumentError('It takes a number.');
  return value;
}

async function run(project: string, { seed = randomInt(1_000_000), minutes = PROJECTS[project]! }: Options) {
  console.log(`${project}: --seed ${seed} --minutes ${minutes}`);
  const child = spawn(process.execPath, [...JEST, '--selectProjects', project, '--runInBand'], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: String(seed), TEST_MINUTES: String(minutes) },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
  if (code !== 0) console.log(`To repeat it: npm run test:${project} -- --seed ${seed} --minutes ${minutes}`);
}
