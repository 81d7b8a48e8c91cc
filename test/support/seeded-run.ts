import { randomInt } from 'node:crypto';

/** The seed of a run for which none was given. */
const OWN_SEED = randomInt(1_000_000);

/** The options of `test/seeded-run.ts`. */
export interface SeededRun {
  /** Determines every choice of the run: the same seed makes the same choices in the same order. */
  readonly seed: number;
  /** How long a run lasts that has no end of its own. */
  readonly minutes: number;
  /** How many runs a property has, in the place of its own number. */
  readonly runs: number | undefined;
  /** The run of a property that failed. */
  readonly path: string | undefined;
}

/** Reads the options of this run, or the defaults of a run by `npm test`. */
export function seededRun(): SeededRun {
  const numberOf = (name: string) => (process.env[name] === undefined ? undefined : Number(process.env[name]));
  return {
    seed: numberOf('TEST_SEED') ?? OWN_SEED,
    minutes: numberOf('TEST_MINUTES') ?? 1,
    runs: numberOf('TEST_RUNS'),
    path: process.env['TEST_PATH'],
  };
}
