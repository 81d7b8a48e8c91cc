/** A query string as an object. A name that occurs once has a string; a name that repeats has a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** Parses a query string, without the `?`. */
export function parseQuery(text: string): Query {
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
