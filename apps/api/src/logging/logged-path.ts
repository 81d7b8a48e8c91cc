import { hideApiKeys, LONGEST_API_KEY } from '@animal-store/auth';

/** The number of characters of a path in the log: no address of this service is longer. */
const MAX_LENGTH = 256;

/** The number of characters that are searched for keys, so that a key at the cut is found whole. */
const LOOKED_AT = MAX_LENGTH + LONGEST_API_KEY;

/**
 * The part of a request's target that the log and the traces contain: its path, shortened and without keys. The query
 * is left out, because it may contain private data of the client.
 */
export function loggedPath(target: string): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (path.length <= LOOKED_AT) return cut(hideApiKeys(path), MAX_LENGTH);
  const hidden = hideApiKeys(path.slice(0, LOOKED_AT));
  // The end may be a part of a key.
  return cut(hidden, Math.min(MAX_LENGTH, hidden.length - LONGEST_API_KEY));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
