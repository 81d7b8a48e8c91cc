import { Logger } from '@nestjs/common';

/** What each of them saves: docs/performance.md. */
export const ACCELERATOR_NAMES = ['route-execution', 'compiled-validation'] as const;

export type AcceleratorName = (typeof ACCELERATOR_NAMES)[number];

/** A part of a library that an accelerator needs is not where it was, or not what it was. */
export class MissingPartError extends Error {
  constructor(part: string) {
    super(`${part} is not what it was`);
  }
}

/**
 * The faster ways through what libraries keep to themselves, as far as an application takes them. Each has a public way
 * behind it that gives the same answers: where a release of a library moves a part, the application is slower, and starts.
 */
export class Accelerators {
  private readonly logger = new Logger(Accelerators.name);
  private readonly givenUp = new Set<AcceleratorName>();

  /** @param inUse their names, among others; what is not there is switched off */
  constructor(private readonly inUse: readonly string[] = ACCELERATOR_NAMES) {}

  /**
   * @param begin looks for everything that it needs before it changes anything
   * @returns what `begin` gives; `undefined` where the public way is to serve
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

  /** As {@link begin}, for one that imports files which libraries may move. */
  async load(name: AcceleratorName, begin: () => Promise<void>): Promise<void> {
    await this.begin(name, () =>
      begin().catch((error: unknown) => {
        this.giveUp(name, error);
      }),
    );
  }

  /** Says once that the public way serves, for all that `name` makes faster or for a part of it. */
  giveUp(name: AcceleratorName, reason: unknown): void {
    if (this.givenUp.has(name)) return;
    this.givenUp.add(name);
    const told = reason instanceof Error ? reason.message : String(reason);
    this.logger.warn(
      `The service works without its accelerator ${name}, and slower, as a library has changed: ${told}`,
    );
  }
}

/**
 * Looks for methods in an object of a library.
 *
 * @param paths such as `contextUtils.mergeParamsMetatypes`
 * @throws MissingPartError
 */
export function needMethods(owner: object, name: string, paths: readonly string[]): void {
  for (const path of paths) {
    const part = path
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown> | null | undefined)?.[key], owner);
    if (typeof part !== 'function') throw new MissingPartError(`${name}.${path}`);
  }
}
