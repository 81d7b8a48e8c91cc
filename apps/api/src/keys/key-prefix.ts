import type { Environment } from '../settings/environment.js';

/** The name under which the service stores the prefix of its keys in the database, for the commands of `keys`. */
export const KEY_PREFIX = 'api-key-prefix';

const PREFIXES = { production: 'aslive', test: 'astest', development: 'asdev' };

/** The prefix of the keys of this environment. It shows people where a key belongs. */
export function keyPrefixOf({ API_KEY_PREFIX, NODE_ENV }: Pick<Environment, 'API_KEY_PREFIX' | 'NODE_ENV'>): string {
  return API_KEY_PREFIX ?? PREFIXES[NODE_ENV];
}
