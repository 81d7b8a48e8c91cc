import type { Settings } from './settings.js';

/** Keys that documents have shown. */
const PUBLISHED_KEYS = ['some-16-or-more-characters'];

/** The output of `openssl rand -hex 24` never has fewer different characters. */
const MIN_DISTINCT_CHARACTERS = 8;

/** Why this bootstrap key can be guessed; `undefined` if there is no sign of that. */
function weaknessOf(key: string): string | undefined {
  if (PUBLISHED_KEYS.includes(key)) return 'this one was published';
  if (new Set(key).size < MIN_DISTINCT_CHARACTERS)
    return `this one has fewer than ${MIN_DISTINCT_CHARACTERS} different characters`;
  return undefined;
}

/** The rules between settings, each as the rest of a sentence. They are checked for valid settings. */
export const RULES: readonly [
  name: keyof Settings,
  fault: (settings: Partial<Settings>) => string | false | undefined,
][] = [
  [
    'SHUTDOWN_DELAY_SECONDS',
    ({ SHUTDOWN_DELAY_SECONDS: delay, SHUTDOWN_GRACE_SECONDS: grace }) =>
      delay !== undefined &&
      grace !== undefined &&
      delay >= grace &&
      'must be less than SHUTDOWN_GRACE_SECONDS, of which it is a part',
  ],
  [
    'DATABASE_URL',
    ({ NODE_ENV, DATABASE_URL }) =>
      NODE_ENV === 'production' &&
      DATABASE_URL === undefined &&
      'must be set when NODE_ENV is production: give it the address of a PostgreSQL server, such as postgresql://user:password@host:5432/name. The embedded database serves one process on one machine, for development',
  ],
  [
    'BODIES_LIMIT',
    ({ BODIES_LIMIT: all, BODY_LIMIT: one }) =>
      all !== undefined &&
      one !== undefined &&
      all < one &&
      'must be at least BODY_LIMIT, or no body of that size could be read',
  ],
  [
    'BOOTSTRAP_API_KEY',
    ({ NODE_ENV, BOOTSTRAP_API_KEY: key }) => {
      const weakness = NODE_ENV === 'production' && key !== undefined ? weaknessOf(key) : undefined;
      return (
        weakness !== undefined &&
        `must be random when NODE_ENV is production, and ${weakness}: take the output of openssl rand -hex 24`
      );
    },
  ],
  [
    'DATABASE_REPLICA_URLS',
    ({ DATABASE_REPLICA_URLS: replicas, DATABASE_URL }) =>
      replicas !== undefined &&
      DATABASE_URL === undefined &&
      'must be empty without DATABASE_URL: replicas follow a server',
  ],
];
