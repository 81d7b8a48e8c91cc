/** `npm run test:properties -- --seed 7 --runs 5000 catalogue`: property tests of the service with generated requests. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const ROOT = join(import.meta.dirname, '..');

interface Options {
  readonly seed?: number;
  readonly runs?: number;
  readonly path?: string;
  readonly replayPath?: string;
  readonly title?: string;
}

await new Command('npm run test:properties --')
  .description('Tries what the service promises with generated requests, and shrinks those that break it.')
  .argument('[patterns...]', 'only the test files whose path matches one of them')
  .option('--seed <number>', 'of all that is generated; a run without one prints the one that it took', integer)
  .option('--runs <number>', 'how many runs each property has, in the place of its own number', integer)
  .option('--path <path>', 'the run of the seed that failed, as the failure names it')
  .option('--replay-path <path>', 'as above, where the failure names one')
  .option('--title <text>', 'only the test of this title')
  .action(run)
  .parseAsync();

function integer(text: string): number {
  if (!/^-?[0-9]{1,10}$/.test(text)) throw new InvalidArgumentError('It takes an integer.');
  return Number(text);
}

async function run(
  patterns: string[],
  { seed = randomInt(2 ** 31), runs, path, replayPath, title }: Options,
): Promise<void> {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const words = ['--selectProjects', 'properties', '--runInBand', '--testTimeout', '600000'];
  if (title !== undefined) words.push('--testNamePattern', `^${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
  const child = spawn(process.execPath, [...jest, ...words, '--', ...patterns], {
    cwd: ROOT,
    env: {
      ...process.env,
      PROPERTY_TALKATIVE: '1',
      PROPERTY_SEED: seed.toString(),
      PROPERTY_RUNS: runs?.toString(),
      PROPERTY_PATH: path,
      PROPERTY_REPLAY_PATH: replayPath,
    },
    stdio: 'inherit',
  });
  // The terminal also sends the signal to the tests, which then stop their server.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
