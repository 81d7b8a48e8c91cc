import { errorCode } from '../errors/error-code.js';

/** How long a migration may wait for a lock, in milliseconds. Other transactions that need the table wait behind it. */
export const LOCK_WAIT_MS = 500;

/** The SQLSTATE of a lock timeout (appendix A, `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === LOCK_NOT_AVAILABLE;
}
