import { isIP } from 'node:net';
import { z } from 'zod';
import { API_KEY_PREFIX } from '@animal-store/auth';
import { InvalidDatabaseUrlError, readDatabaseUrl } from '@animal-store/persistence/database-url';
import { MAY_BE_QUOTED } from '@animal-store/settings';

const NODE_ENVS = ['development', 'test', 'production'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

function integer(minimum: number, maximum: number) {
  const expected = `must be an integer between ${minimum} and ${maximum}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, expected);
}

const UNITS = { '': 1, k: 1024, m: 1024 ** 2 } as const;

/** A size in bytes, with `k` or `m` for KiB and MiB, as in `1m`. */
const byteSize = z
  .string()
  .regex(/^[1-9][0-9]{0,9}(?:[km]i?b?)?$/i, 'must be a number of bytes such as 1048576, 512k or 1m')
  .transform((text) => parseInt(text, 10) * UNITS[(/[km]/i.exec(text)?.[0].toLowerCase() ?? '') as keyof typeof UNITS]);

const baseUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .regex(/^[^?#@]+\/v1$/, 'must end in /v1, without user, query and fragment');

/** Browsers send an origin of http or https in exactly this form, and no pattern: another text would never be met. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isSentByBrowsers), {
    message: 'must be origins such as https://shop.example, separated by commas, without a path and without *',
  });

function isSentByBrowsers(origin: string): boolean {
  return /^https?:\/\/[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** Segments of characters that no proxy rewrites (RFC 3986, section 2.3), none of which is a step in the path. */
const PATH_PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** The number of proxies, or their names and addresses, in Express's format. */
const trustProxy = z
  .string()
  .refine(
    (text) =>
      /^[0-9]{1,3}$/.test(text) ||
      text.split(',').every((proxy) => {
        const [address = '', bits = '0', more] = proxy.trim().split('/');
        return PROXY_NAMES.includes(address) || (isIP(address) > 0 && /^[0-9]{1,3}$/.test(bits) && more === undefined);
      }),
    `must be a number of hops, or addresses, networks or ${PROXY_NAMES.join(', ')}, separated by commas`,
  )
  .transform((text) => (/^[0-9]+$/.test(text) ? Number(text) : text))
  .optional();

/** An address of a server whose certificate files can be read. */
const databaseUrl = z.string().superRefine((text, context) => {
  try {
    readDatabaseUrl(text);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrlError)) throw error;
    context.addIssue({ code: 'custom', message: error.fault });
  }
});

/** Each setting on its own: its allowed values, its meaning, and its default. */
export const SETTINGS = z.object({
  NODE_ENV: z.enum(NODE_ENVS, `must be one of ${NODE_ENVS.join(', ')}`).default('development'),
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_POOL_SIZE: integer(1, 1000).default(10),
  DATABASE_PREPARED_STATEMENTS: flag.default(true),
  // The guard accepts exactly these texts: a key needs no other form, so quotes are a part of it.
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters')
    .optional()
    .meta(MAY_BE_QUOTED),
  API_KEY_PREFIX: z
    .string()
    .regex(API_KEY_PREFIX, 'must be a lower-case letter, then 1 to 15 lower-case letters and digits')
    .optional(),
  PRODUCTION_BASE_URL: baseUrl.optional(),
  STAGING_BASE_URL: baseUrl.optional(),
  PUBLIC_PATH_PREFIX: z
    .string()
    .regex(PATH_PREFIX, 'must be a path such as /shop, without a slash at its end')
    .optional(),
  BODY_LIMIT: byteSize.default(100 * 1024),
  MAX_CONNECTIONS: integer(1, 100_000).default(1_024),
  KEEP_ALIVE_SECONDS: integer(1, 3600).default(65),
  CORS_ORIGINS: origins.optional(),
  DOCS_ENABLED: flag.default(true),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  TRUST_PROXY: trustProxy,
  SHUTDOWN_GRACE_SECONDS: integer(1, 3600).default(25),
  SHUTDOWN_DELAY_SECONDS: integer(0, 3599).optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
});

export type Settings = z.output<typeof SETTINGS>;

/** The settings with their defaults. */
export interface CompleteSettings extends Settings {
  readonly SHUTDOWN_DELAY_SECONDS: number;
}

/** Adds the default that depends on other settings. */
export function completed(settings: Settings): CompleteSettings {
  const { NODE_ENV, SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = settings;
  // In development there is no load balancer, and a delay would only be a nuisance.
  const delay = NODE_ENV === 'production' ? Math.floor(SHUTDOWN_GRACE_SECONDS / 5) : 0;
  return { ...settings, SHUTDOWN_DELAY_SECONDS: SHUTDOWN_DELAY_SECONDS ?? delay };
}

/**
 * The faults between settings, each of which is valid on its own.
 *
 * @param settings without those that are not valid
 */
export function faultsBetween(settings: Partial<Settings>): string[] {
  const { NODE_ENV, DATABASE_URL, DATABASE_READ_URL, SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = settings;
  const faults: string[] = [];
  const hasNoServer = 'DATABASE_URL' in settings && DATABASE_URL === undefined;
  if (hasNoServer && NODE_ENV === 'production')
    faults.push(
      'DATABASE_URL must be set when NODE_ENV is production: give it the address of a PostgreSQL server, such as postgresql://user:password@host:5432/name. The embedded database serves one process on one machine, for development',
    );
  if (hasNoServer && DATABASE_READ_URL !== undefined)
    faults.push('DATABASE_READ_URL must be empty without DATABASE_URL: it is another address of the same cluster');
  if ((SHUTDOWN_DELAY_SECONDS ?? 0) >= (SHUTDOWN_GRACE_SECONDS ?? Infinity))
    faults.push('SHUTDOWN_DELAY_SECONDS must be less than SHUTDOWN_GRACE_SECONDS, of which it is a part');
  return faults;
}
