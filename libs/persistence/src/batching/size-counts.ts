import type { BatchSizes } from './batcher-stats.js';

/** Counts batches by size, in powers of two. */
export class SizeCounts implements BatchSizes {
  readonly bounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  readonly counts: number[] = new Array<number>(this.bounds.length + 1).fill(0);
  sum = 0;

  add(size: number): void {
    const index = Math.min(32 - Math.clz32(size - 1), this.bounds.length);
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += size;
  }
}
