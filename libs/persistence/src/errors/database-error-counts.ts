import { databaseErrorReason, type DatabaseErrorReason } from './database-error-reason.js';

/** Counts the errors of the database since the start of the process, by reason. */
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

  /** The counts of all reasons, also those that are 0. */
  get all(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.numbers;
  }

  /** Counts an error once, even if several layers report it. Errors that do not concern the server are not counted. */
  add(error: unknown): void {
    const reason = databaseErrorReason(error);
    if (reason === undefined || this.seen.has(error as Error)) return;
    this.seen.add(error as Error);
    this.numbers[reason] += 1;
  }
}
