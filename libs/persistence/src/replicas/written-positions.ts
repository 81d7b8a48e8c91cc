import type { WalPosition } from './wal-position.js';

/** How many positions are kept: an hour of writing where one is added a second. What is older counts as that old. */
const MAX_KEPT = 3_600;

interface Seen {
  readonly position: WalPosition;
  /** When it was first seen, in milliseconds. */
  readonly at: number;
}

/** When the primary had written how far, so that what a replica shows can be told in time. */
export class WrittenPositions {
  /** Each further than the one before, and later. */
  private readonly seen: Seen[] = [];

  /** @param at not earlier than at the call before, in milliseconds */
  add(position: WalPosition, at: number): void {
    // A primary that was promoted may begin before the end of the one that it follows: the rest never was.
    while ((this.seen.at(-1)?.position ?? 0n) > position) this.seen.pop();
    if (this.seen.at(-1)?.position === position) return;
    this.seen.push({ position, at });
    if (this.seen.length > MAX_KEPT) this.seen.shift();
  }

  /** How old the oldest is of what a replica does not show yet that shows this much, in milliseconds; 0 where it shows all. */
  lagOf(shown: WalPosition, now: number): number {
    const missing = this.seen.find(({ position }) => position > shown);
    return missing === undefined ? 0 : now - missing.at;
  }
}
