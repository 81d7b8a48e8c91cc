import type { BatchTracing } from './batch-tracing.js';

/** How large the batches of a batcher were, counted by powers of two. */
export class BatchSizes {
  /** Upper bounds, inclusive; larger batches are counted behind the last. */
  readonly bounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  readonly counts: number[] = new Array<number>(this.bounds.length + 1).fill(0);
  /** How many calls travelled in all of them. */
  sum = 0;

  add(size: number): void {
    const index = Math.min(32 - Math.clz32(size - 1), this.bounds.length);
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += size;
  }
}

/** A batcher as it is measured and traced. What it does and has done is read when it is asked for: no call pays for it. */
export interface BatcherLoad {
  /** Calls that no statement serves yet. */
  readonly waiting: number;
  /** Beyond this many waiting calls the next one is refused. */
  readonly maxQueue: number;
  /** Statements under way. */
  readonly inFlight: number;
  readonly sizes: BatchSizes;
  /** Set while its batches are traced. As long as they are not, a call pays for a comparison. */
  tracing: BatchTracing | undefined;
}
