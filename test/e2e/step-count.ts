import { Session } from 'node:inspector/promises';

type Cost = (target: string, args: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown) => (value as { readonly length?: number } | null)?.length ?? 1;
/** How much of the target was looked at before something was found, or all of it. */
const searched: Cost = (target, [, from = 0], found) =>
  (typeof found === 'number' && found >= 0 ? found : target.length) - Number(from) + 1;
const whole: Cost = (target) => target.length;
const made: Cost = (_target, _args, result) => lengthOf(result);

/** Methods of the engine that go through what they are called on, which the coverage of code does not see. */
const METHODS: readonly (readonly [prototype: object, names: readonly string[], cost: Cost])[] = [
  [Array.prototype, ['indexOf', 'lastIndexOf'], searched],
  [Array.prototype, ['includes', 'join', 'splice', 'unshift'], whole],
  [Array.prototype, ['concat', 'slice'], made],
  [String.prototype, ['indexOf', 'lastIndexOf'], searched],
  [String.prototype, ['includes', 'isWellFormed', 'replace', 'replaceAll', 'split'], whole],
];

/**
 * Counts what JavaScript does during some work: the blocks of code that run, in the libraries too, and the lengths of the
 * texts and lists that methods of the engine go through. It measures no time, so that it is the same on every machine.
 * What a regular expression does inside one text is not seen.
 */
export class StepCounter {
  private readonly session = new Session();

  /** Begins to watch the code of this process, until {@link stop}. What ran before is not counted. */
  async start(): Promise<void> {
    this.session.connect();
    await this.session.post('Profiler.enable');
    await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await this.session.post('Profiler.takePreciseCoverage');
  }

  stop(): void {
    this.session.disconnect();
  }

  /** Counts since the last call. Each takes as long as the process has code, so there is one for a measurement. */
  async count(work: () => Promise<unknown>): Promise<number> {
    const lengths = { sum: 0 };
    const restore = METHODS.flatMap(([prototype, names, cost]) =>
      names.map((name) => watch(prototype, name, cost, lengths)),
    );
    try {
      await work();
    } finally {
      for (const undo of restore) undo();
    }
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => !url.includes('step-count'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, lengths.sum);
  }
}

/** Adds the cost of each call of a method to `lengths`. @returns what undoes that */
function watch(prototype: object, name: string, cost: Cost, lengths: { sum: number }): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
  const original = descriptor.value as (...args: unknown[]) => unknown;
  const counting = function (this: string, ...args: unknown[]): unknown {
    const result = Reflect.apply(original, this, args);
    lengths.sum += cost(this, args, result);
    return result;
  };
  Object.defineProperty(prototype, name, { ...descriptor, value: counting });
  return () => Object.defineProperty(prototype, name, descriptor);
}
