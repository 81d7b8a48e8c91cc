import type { TransferDatabase } from './transfer-database.js';

/** Runs the work, and closes the database after it. */
export async function withDatabase<Result>(
  database: TransferDatabase,
  work: (database: TransferDatabase) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
