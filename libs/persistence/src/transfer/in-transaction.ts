import type { Session } from './session.js';
import { TRANSFER_SETTINGS } from './transfer-settings.js';

/** Runs the work in a transaction with {@link TRANSFER_SETTINGS}. @param characteristics those of `begin` */
export async function inTransaction<Result>(
  session: Session,
  characteristics: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.query(`begin ${characteristics}`);
  try {
    for (const setting of TRANSFER_SETTINGS) await session.query(setting);
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    // The first error is thrown, and not that of the rollback.
    await session.query('rollback').catch(() => undefined);
    throw error;
  }
}
