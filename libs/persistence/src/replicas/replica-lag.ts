import type { WalPosition } from './standby-state.js';

/** A replica is used if it shows the position that the primary had this many polls ago, which is about as many seconds. */
export const MAX_LAG_POLLS = 10;

/** The number of positions in memory: an hour of writes with one position a second. Older changes count as an hour old. */
const MAX_KEPT = 3_600;

/** How far replicas may be, and are, behind the primary. */
export class ReplicaLag {
  /** The positions of the primary at the last polls, oldest first. */
  private readonly recent: WalPosition[] = [];
  /** When each position was first seen, in milliseconds. Ascending by position and by time. */
  private readonly seen: { readonly position: WalPosition; readonly at: number }[] = [];

  /** The position that a replica must have replayed so that reads may use it; `undefined` before the first poll. */
  get minPosition(): WalPosition | undefined {
    return this.recent[0];
  }

  /** The position of the primary at the last poll; `undefined` before the first poll. */
  get primaryPosition(): WalPosition | undefined {
    return this.recent.at(-1);
  }

  /** @param at the time of the poll, in milliseconds; not earlier than in the call before */
  addPrimaryPosition(position: WalPosition, at: number): void {
    this.recent.push(position);
    if (this.recent.length > MAX_LAG_POLLS) this.recent.shift();
    // A promoted primary may begin before the last position of the old one. Later positions are no longer valid.
    while ((this.seen.at(-1)?.position ?? 0n) > position) this.seen.pop();
    if (this.seen.at(-1)?.position === position) return;
    this.seen.push({ position, at });
    if (this.seen.length > MAX_KEPT) this.seen.shift();
  }

  /** The age of the oldest change that a replica at the position `replayed` does not show, in milliseconds; 0 if there is none. */
  of(replayed: WalPosition, now: number): number {
    const missing = this.seen.find(({ position }) => position > replayed);
    return missing === undefined ? 0 : now - missing.at;
  }
}
