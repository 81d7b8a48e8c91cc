/** The options of a run with a given duration: `test/timed-run.ts`. */
export interface TimedRun {
  /** Determines every choice of the run: the same seed makes the same choices in the same order. */
  readonly seed: number;
  readonly minutes: number;
}

/** Reads the options that `test/timed-run.ts` passes on. */
export function timedRun(): TimedRun {
  const [seed, minutes] = ['TEST_SEED', 'TEST_MINUTES'].map((name) => {
    const text = process.env[name];
    if (text === undefined)
      throw new Error(`${name} is not set: start the run by its command, as CONTRIBUTING.md has it`);
    return Number(text);
  });
  return { seed: seed!, minutes: minutes! };
}
