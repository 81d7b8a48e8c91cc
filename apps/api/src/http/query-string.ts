/** A query string as an object: a name that occurs once has a text, one that repeats has a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** How many different query strings are remembered. Clients repeat a handful; a hostile mix only empties it. */
const MAX_REMEMBERED = 1_000;

const remembered = new Map<string, Query>();

/**
 * Express's `query parser`. One query string always gives one and the same frozen object, so that what is worked out
 * from it can be remembered by that object.
 */
export function parseQueryString(text: string | undefined): Query {
  const key = text ?? '';
  let query = remembered.get(key);
  if (query === undefined) {
    query = Object.freeze(parse(key));
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, query);
  }
  return query;
}

function parse(text: string): Query {
  // Without a prototype: a client may name a parameter `__proto__`.
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}
