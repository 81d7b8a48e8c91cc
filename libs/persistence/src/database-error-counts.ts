import { databaseErrorReason, type DatabaseErrorReason } from './database-errors.js';

/** How often the database could not do what it was asked for since the start, by the reason. */
export class DatabaseErrorCounts {
  private readonly numbers: Record<DatabaseErrorReason, number> = {
    connection: 0,
    disk_full: 0,
    lock_timeout: 0,
    other: 0,
    read_only: 0,
    statement_timeout: 0,
    too_many_connections: 0,
  };
  private readonly seen = new WeakSet<object>();

  /** Every reason, also one that there was not yet. */
  get all(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.numbers;
  }

  /** Counts an error once, wherever it is told on its way. One that says something else does not count. */
  add(error: unknown): void {
    const reason = databaseErrorReason(error);
    if (reason === undefined || this.seen.has(error as Error)) return;
    this.seen.add(error as Error);
    this.numbers[reason] += 1;
  }
}
