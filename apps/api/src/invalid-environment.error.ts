/** The environment is not a valid configuration. The message lists every fault, and no value. */
export class InvalidEnvironmentError extends Error {
  /** @param hints possible reasons of the faults */
  constructor(
    readonly faults: readonly string[],
    hints: readonly string[] = [],
  ) {
    super(`The environment is not valid:\n${[...faults, ...hints].map((line) => `  ${line}`).join('\n')}`);
  }
}
