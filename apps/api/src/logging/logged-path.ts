import { hideApiKeys } from '@animal-store/auth';

/** How many characters of a path are told at most: no address of this service is longer. */
const MAX_LENGTH = 256;

/**
 * What the log and the traces tell of the target of a request: its path, short and without keys. The query is left out: it
 * may hold what a client would rather not see there.
 */
export function loggedPath(target: string): string {
  const query = target.indexOf('?');
  const path = hideApiKeys(query === -1 ? target : target.slice(0, query));
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…` : path;
}
