import { randomInt } from 'node:crypto';

/** The seed of a run for which none was given. */
const OWN_SEED = randomInt(1_000_000);

/** The options of `test/seeded-run.ts`. */
export interface SeededRun {
  /** Determines every choice of the run: the same seed makes the same choices in the same order. */
  readonly seed: number;
  readonly minutes: number;
}

/** Reads the options of this run. */
export function seededRun(): SeededRun {
  const { TEST_SEED: seed, TEST_MINUTES: minutes } = process.env;
  return { seed: Number(seed ?? OWN_SEED), minutes: Number(minutes ?? 1) };
}
