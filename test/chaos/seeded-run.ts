import { randomInt } from 'node:crypto';

/** The seed of a run for which none was given. */
const OWN_SEED = randomInt(1_000_000);

/** A run of many choices: `TEST_SEED` determines them, and `TEST_MINUTES` how long it lasts. */
export interface SeededRun {
  /** The same seed makes the same choices in the same order. */
  readonly seed: number;
  readonly minutes: number;
}

/** Reads the variables of this run. @param usual how many minutes it lasts where nothing is said */
export function seededRun(usual: number): SeededRun {
  const { TEST_SEED: seed, TEST_MINUTES: minutes } = process.env;
  return { seed: Number(seed ?? OWN_SEED), minutes: Number(minutes ?? usual) };
}
