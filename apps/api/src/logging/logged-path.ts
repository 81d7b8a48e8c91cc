import { hideApiKeys, LONGEST_API_KEY } from '@animal-store/auth';

/** How many characters of a path are told at most: no address of this service is longer. */
const MAX_LENGTH = 256;

/** How many are looked at, so that a key at the cut is seen whole. */
const LOOKED_AT = MAX_LENGTH + LONGEST_API_KEY;

/**
 * What the log and the traces tell of the target of a request: its path, short and without keys. The query is left out: it
 * may hold what a client would rather not see there.
 */
export function loggedPath(target: string): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (path.length <= LOOKED_AT) return cut(hideApiKeys(path), MAX_LENGTH);
  const hidden = hideApiKeys(path.slice(0, LOOKED_AT));
  // At the end there may be a part of a key.
  return cut(hidden, Math.min(MAX_LENGTH, hidden.length - LONGEST_API_KEY));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
