import { z } from 'zod';
import { API_KEY_PREFIX } from '@animal-store/auth';
import { BODIES_LIMIT, BODY_LIMIT, byteSize } from './body-limit.js';
import { TRUST_PROXY } from './trust-proxy.js';

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

const baseUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .endsWith('/v1', 'must end in /v1');

const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    message: 'must be origins such as https://shop.example, separated by commas, without a path',
  });

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
  UNREAD_ANSWERS_LIMIT: byteSize.default(64 * 1024 ** 2),
  CORS_ORIGINS: origins.optional(),
  DOCS_ENABLED: flag.default(true),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  TRUST_PROXY,
  SHUTDOWN_GRACE_SECONDS: integer(1, 3600).default(25),
  SHUTDOWN_DELAY_SECONDS: integer(0, 3599).optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  REVISION: z.string().min(1).default('unknown'),
  ACCELERATORS: z.enum(['on', 'off'], 'must be on or off').default('on'),
});

export type Settings = z.output<typeof SETTINGS>;
