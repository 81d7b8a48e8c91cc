import fc, { type IAsyncProperty } from 'fast-check';
import { seededRun } from '../support/seeded-run.js';

/**
 * Tries a property with generated values, and shrinks the values that break it.
 *
 * @param runs the number of runs, unless the command sets another number
 * @param leastRuns the number of runs that a command may not go below
 * @returns the number of runs
 * @throws Error with the smallest values that break the property, the seed, and the path that leads to them at once
 */
export async function explore<Values>(runs: number, property: IAsyncProperty<Values>, leastRuns = 1): Promise<number> {
  const { seed, runs: asked = runs, path } = seededRun();
  const numRuns = Math.max(asked, leastRuns);
  await fc.assert(property, {
    numRuns,
    seed,
    includeErrorInReport: true,
    ...(path !== undefined && { path, endOnFailure: true }),
  });
  return numRuns;
}
