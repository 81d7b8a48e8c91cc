import { median, percentile } from './trend.js';

/** Long enough for a 99th percentile of some thousand calls, and short enough that a short disturbance of the machine affects few windows. */
const WINDOW_MS = 10_000;

/** Durations of calls, grouped by the time at which the calls ended. */
export class Latencies {
  private readonly beganAt = performance.now();
  private readonly windows: number[][] = [];

  readonly add = (durationMs: number): void => {
    const index = Math.floor((performance.now() - this.beganAt) / WINDOW_MS);
    (this.windows[index] ??= []).push(durationMs);
  };

  /**
   * The 99th percentile in each tenth of the time, in milliseconds: the median of the percentiles of its windows of ten seconds.
   *
   * @param warmUpMs the duration at the beginning that is left out
   */
  p99OfTenths(warmUpMs: number): number[] {
    const counted = this.windows
      .slice(Math.ceil(warmUpMs / WINDOW_MS))
      // Windows in which no call ended are holes.
      .map((durations: number[] | undefined) => percentile(durations ?? [], 0.99));
    return Array.from({ length: 10 }, (_, tenth) => {
      const [from, to] = [tenth, tenth + 1].map((number) => Math.floor((number * counted.length) / 10));
      return median(counted.slice(from, Math.max(to!, from! + 1)));
    });
  }
}
