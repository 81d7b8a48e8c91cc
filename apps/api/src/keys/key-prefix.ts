import type { Environment } from '../environment.js';

/** The keys of one environment should not work as those of another one: see API_KEY_PREFIX in .env.example. */
const PREFIXES: Readonly<Record<string, string>> = { production: 'aslive', test: 'astest' };

/** The prefix of new keys, unless a command names another one. */
export function prefixOf({ API_KEY_PREFIX, NODE_ENV }: Environment): string {
  return API_KEY_PREFIX ?? PREFIXES[NODE_ENV] ?? 'asdev';
}
