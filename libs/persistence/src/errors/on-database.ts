import { asUnavailable, type Sent } from './unavailability.js';

/**
 * Runs the work of a repository.
 *
 * @throws DatabaseUnavailableError or UnknownOutcomeError in the place of errors with that meaning; other errors are not changed,
 *   also not errors of the kind `unavailable`
 */
export async function onDatabase<Result>(work: () => Promise<Result>, sent?: Sent): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error, sent);
  }
}
