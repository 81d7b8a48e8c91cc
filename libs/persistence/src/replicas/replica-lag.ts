import type { WalPosition } from './wal-position.js';
import { WrittenPositions } from './written-positions.js';

/** A replica is used if it shows the position that the primary had this many polls ago, which is about as many seconds. */
const MAX_LAG_POLLS = 10;

/** How far replicas may be, and are, behind the primary. */
export class ReplicaLag {
  /** The positions of the primary at the last polls, oldest first. */
  private readonly recent: WalPosition[] = [];
  private readonly history = new WrittenPositions();

  /** The position that a replica must have replayed so that reads may use it; `undefined` before the first poll. */
  get minPosition(): WalPosition | undefined {
    return this.recent[0];
  }

  /** The position of the primary at the last poll; `undefined` before the first poll. */
  get primaryPosition(): WalPosition | undefined {
    return this.recent.at(-1);
  }

  /** @param at the time of the poll, in milliseconds */
  addPrimaryPosition(position: WalPosition, at: number): void {
    this.history.add(position, at);
    this.recent.push(position);
    if (this.recent.length > MAX_LAG_POLLS) this.recent.shift();
  }

  /** The age of the oldest change that a replica at the position `replayed` does not show, in milliseconds. */
  of(replayed: WalPosition, now: number): number {
    return this.history.lagOf(replayed, now);
  }
}
