import type { WalPosition } from './wal-position.js';

/** The number of positions in memory: an hour of writes with one position a second. Older changes count as an hour old. */
const MAX_KEPT = 3_600;

/** When the primary reached which position, to express the lag of a replica as a duration. */
export class WrittenPositions {
  /** When each position was first seen, in milliseconds. Ascending by position and by time. */
  private readonly seen: { readonly position: WalPosition; readonly at: number }[] = [];

  /** @param at not earlier than in the call before, in milliseconds */
  add(position: WalPosition, at: number): void {
    // A promoted primary may begin before the last position of the old one. Later positions are no longer valid.
    while ((this.seen.at(-1)?.position ?? 0n) > position) this.seen.pop();
    if (this.seen.at(-1)?.position === position) return;
    this.seen.push({ position, at });
    if (this.seen.length > MAX_KEPT) this.seen.shift();
  }

  /** The age of the oldest change after the position `shown`, in milliseconds; 0 if there is none. */
  lagOf(shown: WalPosition, now: number): number {
    const missing = this.seen.find(({ position }) => position > shown);
    return missing === undefined ? 0 : now - missing.at;
  }
}
