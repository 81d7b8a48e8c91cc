import { Logger } from '@nestjs/common';

/** docs/performance.md says what each accelerator saves. */
export const ACCELERATOR_NAMES = ['route-execution', 'compiled-validation'] as const;

export type AcceleratorName = (typeof ACCELERATOR_NAMES)[number];

/**
 * The accelerators of an application: faster ways that use private parts of libraries. Each has a public way with the
 * same results. If a release of a library changes a private part, the application is slower, but it starts.
 */
export class Accelerators {
  private readonly logger = new Logger(Accelerators.name);
  private readonly givenUp = new Set<AcceleratorName>();

  /** @param inUse the names of the accelerators to use; all others are off */
  constructor(private readonly inUse: readonly string[] = ACCELERATOR_NAMES) {}

  /**
   * @param begin checks all private parts that it needs before it changes anything
   * @returns the result of `begin`; `undefined` if the public way is used
   */
  begin<Result>(name: AcceleratorName, begin: () => Result): Result | undefined {
    if (!this.inUse.includes(name)) return undefined;
    try {
      return begin();
    } catch (error) {
      this.giveUp(name, error);
      return undefined;
    }
  }

  /** Like {@link begin}, for an accelerator that imports private files of a library. */
  async load(name: AcceleratorName, begin: () => Promise<void>): Promise<void> {
    await this.begin(name, () =>
      begin().catch((error: unknown) => {
        this.giveUp(name, error);
      }),
    );
  }

  /** Logs once that the public way is used, for all routes or classes or for some of them. */
  giveUp(name: AcceleratorName, reason: unknown): void {
    if (this.givenUp.has(name)) return;
    this.givenUp.add(name);
    const cause = reason instanceof Error ? reason.message : String(reason);
    this.logger.warn(
      `The service works without its accelerator ${name}, and slower, as a library has changed: ${cause}`,
    );
  }
}
