import { isIP } from 'node:net';
import { z } from 'zod';
import { API_KEY_PREFIX } from '@animal-store/auth';
import type { AcceleratorName } from '@animal-store/http';
import { BODIES_LIMIT, BODY_LIMIT, byteSize } from './body-limit.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * The minimum size of the log buffer, in bytes: a few writes of the log. A smaller buffer would lose lines while it is
 * emptied.
 */
const MIN_LOG_BUFFER = 64 * 1024;

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

function integer(minimum: number, maximum: number) {
  const expected = `must be an integer between ${minimum} and ${maximum}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, expected);
}

const baseUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .endsWith('/v1', 'must end in /v1');

const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    message: 'must be origins such as https://shop.example, separated by commas, without a path',
  });

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
  .transform((text) => (/^[0-9]+$/.test(text) ? Number(text) : text));

/** The names come from a type: an import of the library would load modules before tracing can instrument them. */
const ACCELERATORS = Object.keys({
  'route-execution': true,
  'compiled-validation': true,
} satisfies Record<AcceleratorName, true>) as AcceleratorName[];

/** The accelerators that are on. */
const accelerators = z
  .string()
  .refine(
    (text) =>
      text === 'on' || text === 'off' || leftOut(text).every((name) => ACCELERATORS.some((of) => `-${of}` === name)),
    `must be on, off, or what to leave out, separated by commas, of ${ACCELERATORS.map((name) => `-${name}`).join(',')}`,
  )
  .transform((text) => ACCELERATORS.filter((name) => text !== 'off' && !leftOut(text).includes(`-${name}`)));

function leftOut(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

/** Each setting on its own: its allowed values, its meaning, and its default. */
export const SETTINGS = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  // completeDatabaseUrls checks the addresses.
  DATABASE_URL: z.string().optional(),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((text) => text.split(','))
    .optional(),
  DATABASE_ALLOW_UNENCRYPTED: flag.default(false),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_POOL_SIZE: integer(1, 1000).default(10),
  DATABASE_PREPARED_STATEMENTS: flag.default(true),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters')
    .optional(),
  API_KEY_PREFIX: z
    .string()
    .regex(API_KEY_PREFIX, 'must be a lower-case letter, then 1 to 15 lower-case letters and digits')
    .optional(),
  PRODUCTION_BASE_URL: baseUrl.default('https://api.animal-store.example/v1'),
  STAGING_BASE_URL: baseUrl.default('https://staging.animal-store.example/v1'),
  BODY_LIMIT,
  BODIES_LIMIT,
  MAX_CONNECTIONS: integer(1, 100_000).default(2_048),
  MAX_REQUESTS: integer(1, 100_000).default(4_096),
  MAX_REQUESTS_PER_CONNECTION: integer(1, 1_000).default(8),
  UNREAD_ANSWERS_LIMIT: byteSize.default(64 * 1024 ** 2),
  CORS_ORIGINS: origins.optional(),
  DOCS_ENABLED: flag.default(true),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  LOG_BUFFER_LIMIT: byteSize.refine((bytes) => bytes >= MIN_LOG_BUFFER, 'must be at least 64k').default(1024 ** 2),
  TRUST_PROXY: trustProxy.optional(),
  TRUST_TRACEPARENT: flag.default(false),
  SHUTDOWN_GRACE_SECONDS: integer(1, 3600).default(25),
  SHUTDOWN_DELAY_SECONDS: integer(0, 3599).optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  REVISION: z.string().min(1).default('unknown'),
  ACCELERATORS: accelerators.default(ACCELERATORS),
});

export type Settings = z.output<typeof SETTINGS>;
