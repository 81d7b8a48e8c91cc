import { BoundedMap } from '../caches/bounded-map.js';

/** A query string as an object: a name that occurs once has a text, one that repeats has a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** How many different query strings are remembered. Clients repeat a handful; a hostile mix only empties it. */
const MAX_REMEMBERED = 1_000;

/** The longest that is remembered, in UTF-16 units: several times what any operation takes. */
const MAX_REMEMBERED_LENGTH = 512;

/**
 * Express's `query parser` for one application. A query string in which no name repeats gives one and the same frozen object
 * again and again, so that what is worked out from it can be remembered by that object.
 */
export function queryStringParser(): (text: string | undefined) => Query {
  const remembered = new BoundedMap<string, Query>(MAX_REMEMBERED);
  return (text) => {
    const key = text ?? '';
    let query = remembered.get(key);
    if (query === undefined) {
      query = parse(key);
      // A list could still be changed, by one handler for all.
      if (key.length <= MAX_REMEMBERED_LENGTH && !Object.values(query).some(Array.isArray)) {
        remembered.set(key, Object.freeze(query));
      }
    }
    return query;
  };
}

function parse(text: string): Query {
  // Without a prototype: a client may name a parameter `__proto__`.
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}
