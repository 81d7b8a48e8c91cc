import { existsSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { API_KEY_PREFIX } from '@animal-store/auth';
import { DECLARED_SETTINGS, InvalidEnvironmentError, readSettings } from '@animal-store/http';
import { InvalidDatabaseUrlError, isReadableByOthers, readDatabaseUrl } from '@animal-store/persistence/database-url';

/** Segments of characters that no proxy rewrites (RFC 3986, section 2.3), none of which is a step in the path. */
const PATH_PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

function text(form: RegExp, expected: string) {
  return z.string().regex(form, expected);
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

function integer(minimum: number, maximum: number) {
  const expected = `must be an integer between ${minimum} and ${maximum}`;
  return text(/^[0-9]{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, expected);
}

function list<Element extends z.ZodType<unknown, string>>(element: Element) {
  const parts = (text: string) => text.split(',').map((part) => part.trim());
  return z.string().transform(parts).pipe(z.array(element));
}

const flag = z.stringbool({
  truthy: ['true'],
  falsy: ['false'],
  case: 'sensitive',
  error: 'must be one of true, false',
});

/** A size in bytes, with `k` or `m` for KiB and MiB, as in `1m`. */
const byteSize = text(/^[1-9][0-9]{0,9}[km]?$/, 'must be a number of bytes such as 1048576, 512k or 1m').transform(
  (text) => parseInt(text, 10) * (text.endsWith('k') ? 1024 : text.endsWith('m') ? 1024 ** 2 : 1),
);

const baseUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .regex(/^[^?#@]+\/v1$/, 'must end in /v1, without user, query and fragment');

/** An origin as browsers send it: another text would never be met. */
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text,
    'must be origins such as https://shop.example, without a path and without *, separated by commas',
  );

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'] as const;

/** The proxies in Express's format, or their number. */
const proxies = z.union(
  [integer(0, 100), list(z.union([z.enum(PROXY_NAMES), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))],
  `must be a number of hops, or addresses, networks or ${PROXY_NAMES.join(', ')}, separated by commas`,
);

/** An address of a server whose certificate files can be read. */
const databaseUrl = z.string().superRefine((text, context) => {
  try {
    readDatabaseUrl(text);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrlError)) throw error;
    context.addIssue({ code: 'custom', message: error.fault });
  }
});

/** All settings of the service: their allowed values and their defaults. `.env.example` says what each is for. */
export const SETTINGS = z
  .object({
    NODE_ENV: oneOf('development', 'test', 'production').default('development'),
    PORT: integer(0, 65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_READ_URL: databaseUrl.optional(),
    DATA_DIR: z.string().default('.data'),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    BOOTSTRAP_API_KEY: text(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters').optional(),
    API_KEY_PREFIX: text(API_KEY_PREFIX, 'must be 2 to 16 lower-case letters and digits, a letter first').optional(),
    PRODUCTION_BASE_URL: baseUrl.optional(),
    STAGING_BASE_URL: baseUrl.optional(),
    PUBLIC_PATH_PREFIX: text(PATH_PREFIX, 'must be a path such as /shop, without a slash at its end').optional(),
    BODY_LIMIT: byteSize.default(100 * 1024),
    MAX_CONNECTIONS: integer(1, 100_000).default(1_024),
    KEEP_ALIVE_SECONDS: integer(1, 3600).default(65),
    CORS_ORIGINS: list(origin).optional(),
    DOCS_ENABLED: flag.default(true),
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    TRUST_PROXY: proxies.optional(),
    SHUTDOWN_GRACE_SECONDS: integer(1, 3600).default(25),
    RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).optional(),
    METRICS_PORT: integer(0, 65_535).optional(),
    METRICS_HOST: z.string().default('127.0.0.1'),
  })
  .superRefine(refuseContradictions, { when: () => true });

/** Also called if other settings are wrong: their values are then the texts of the environment. */
function refuseContradictions(settings: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  const { NODE_ENV, DATABASE_URL, DATABASE_READ_URL } = settings;
  const refuse = (name: string, message: string) => {
    context.addIssue({ code: 'custom', path: [name], message });
  };
  if (DATABASE_URL === undefined && NODE_ENV === 'production')
    refuse(
      'DATABASE_URL',
      'must be set when NODE_ENV is production: the embedded database is for development. An address is postgresql://user:password@host:5432/name',
    );
  if (DATABASE_URL === undefined && DATABASE_READ_URL !== undefined)
    refuse('DATABASE_READ_URL', 'must be empty without DATABASE_URL: it is another address of the same cluster');
}

/** The prefixes of new keys, which show people where a key belongs. */
const KEY_PREFIXES = { production: 'aslive', test: 'astest', development: 'asdev' };

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Reads the configuration from environment variables, and checks the settings that the loaded modules declare.
 *
 * @throws InvalidEnvironmentError with every fault at once
 */
export function readEnvironment(variables: NodeJS.ProcessEnv) {
  const { values, faults } = readSettings(SETTINGS, variables);
  for (const { schema } of DECLARED_SETTINGS) faults.push(...readSettings(schema, variables).faults);
  if (faults.length > 0) throw new InvalidEnvironmentError([...faults, ...misspelledSettings(variables)]);
  return {
    ...values,
    API_KEY_PREFIX: values.API_KEY_PREFIX ?? KEY_PREFIXES[values.NODE_ENV],
    // For the settings that modules declare.
    variables,
  };
}

/** Reads the variables of the process; for a manual start `.env` has those that are not set. @throws InvalidEnvironmentError */
export function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile();
  return readEnvironment(process.env);
}

/** A sentence for each setting that may not do what was meant: an unknown name, or an address that sends data in clear. */
export function settingWarnings({ NODE_ENV, DATABASE_URL, DATABASE_READ_URL, variables }: Environment): string[] {
  const inClear = Object.entries({ DATABASE_URL, DATABASE_READ_URL })
    .filter(([, url]) => NODE_ENV === 'production' && url !== undefined && isReadableByOthers(url))
    .map(
      ([name]) =>
        `${name} leads to another machine without TLS, so whoever can listen on the way reads the data: add sslmode=verify-full, or require`,
    );
  return [...misspelledSettings(variables), ...inClear];
}

/** A sentence for each variable whose name is similar to that of a setting. It has no effect. */
export function misspelledSettings(variables: NodeJS.ProcessEnv): string[] {
  const settings = [{ schema: SETTINGS }, ...DECLARED_SETTINGS].flatMap(({ schema }) => Object.keys(schema.shape));
  const known = settings.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(variables)
    .filter((name) => !known.includes(name))
    .map((name) => [name, closest(name.toUpperCase(), known)] as const)
    .filter(([name, setting]) => isMisspelling(name.toUpperCase(), setting))
    .map(([name, setting]) => `${name} is not a setting and has no effect. Did you mean ${setting}?`);
}

/** Whether every fourth character at most is another one, or all are there in another order, as in `PROT`. */
function isMisspelling(name: string, setting: string): boolean {
  const letters = (text: string) => Array.from(text).toSorted().join('');
  return distance(name, setting) <= setting.length / 4 || letters(name) === letters(setting);
}

/** What a process opens beside the connections of clients: the connections to the database, the log and files of Node. */
const OTHER_FILES = 200;

/** A warning, if the process may open too few files for its connections, each of which is a file; `undefined` otherwise. */
export function openFilesWarning(maxConnections: number, limit = openFilesLimit()): string | undefined {
  const needed = maxConnections + OTHER_FILES;
  if (limit >= needed) return undefined;
  return (
    `The process may open ${limit} files, which is too few for MAX_CONNECTIONS=${maxConnections}: ` +
    `allow ${needed} (ulimit -n, LimitNOFILE), or set fewer connections`
  );
}

/** The number of files that the process may open; `Infinity` where there is no limit, or none is known (Windows). */
function openFilesLimit(): number {
  const report = process.report.getReport() as { readonly userLimits?: { readonly open_files?: { soft?: unknown } } };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}
