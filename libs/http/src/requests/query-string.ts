import { BoundedMap } from '../caches/bounded-map.js';
import { parseQuery, type Query } from './parse-query.js';

/** The number of query strings that are cached. Clients repeat a few; a hostile mix only replaces them. */
const MAX_REMEMBERED = 1_000;

/** The longest query string that is cached, in UTF-16 units: several times what any operation needs. */
const MAX_REMEMBERED_LENGTH = 512;

/**
 * Express's `query parser` for one application. For the same query string without repeated names it returns the same
 * frozen object, so that results that depend on the query can be cached by that object.
 */
export function queryStringParser(): (text: string | undefined) => Query {
  const remembered = new BoundedMap<string, Query>(MAX_REMEMBERED);
  return (text) => {
    const key = text ?? '';
    let query = remembered.get(key);
    if (query === undefined) {
      query = parseQuery(key);
      // A handler could change the list for all other requests.
      if (key.length <= MAX_REMEMBERED_LENGTH && !Object.values(query).some(Array.isArray)) {
        remembered.set(key, Object.freeze(query));
      }
    }
    return query;
  };
}
