import { BoundedMap } from '../caches/bounded-map.js';

/** A query string as an object. A name that occurs once has a string; a name that repeats has a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

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
      query = parse(key);
      // A handler could change the list for all other requests.
      if (key.length <= MAX_REMEMBERED_LENGTH && !Object.values(query).some(Array.isArray)) {
        remembered.set(key, Object.freeze(query));
      }
    }
    return query;
  };
}

function parse(text: string): Query {
  // Without a prototype, because a client may send a parameter with the name `__proto__`.
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}
