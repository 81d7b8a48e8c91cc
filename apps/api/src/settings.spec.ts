import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InvalidEnvironmentError, SettingsModule, settingsOf } from '@animal-store/http';
import { z } from 'zod';
import { settingWarnings, misspelledSettings, openFilesWarning, readEnvironment, SETTINGS } from './settings.js';

const DATABASE_URL = 'postgresql://shop:s3cret-of-the-database@db.internal:5432/pets';
const TLS_URL = `${DATABASE_URL}?sslmode=require`;
const BOOTSTRAP_API_KEY = 's3cret-of-the-bootstrap-key';

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.faults;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  test('has a default for everything, also if variables are empty', () => {
    const variables = { PORT: '', DATABASE_URL: '', LOG_LEVEL: '', PATH: '/usr/bin' };
    expect(readEnvironment(variables)).toEqual({
      NODE_ENV: 'development',
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      API_KEY_PREFIX: 'asdev',
      DATABASE_POOL_SIZE: 10,
      BODY_LIMIT: 102_400,
      MAX_CONNECTIONS: 1024,
      KEEP_ALIVE_SECONDS: 65,
      DOCS_ENABLED: true,
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_SECONDS: 25,
      METRICS_HOST: '127.0.0.1',
      variables,
    });
  });

  test.each([
    ['PORT', '0', 0],
    ['BOOTSTRAP_API_KEY', '"in-quotes-of-its-own"', '"in-quotes-of-its-own"'],
    ['BODY_LIMIT', '512k', 524_288],
    ['PUBLIC_PATH_PREFIX', '/shop/eu.v1', '/shop/eu.v1'],
    ['CORS_ORIGINS', 'https://a.example, http://localhost:8080', ['https://a.example', 'http://localhost:8080']],
    ['DOCS_ENABLED', 'false', false],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
  ])('reads %s=%s', (name, text, value) => {
    expect(readEnvironment({ [name]: text })).toHaveProperty(name, value);
  });

  test('has a prefix of new keys for each environment', () => {
    expect(readEnvironment({ NODE_ENV: 'production', DATABASE_URL: TLS_URL }).API_KEY_PREFIX).toBe('aslive');
  });

  test('is in .env.example', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');
    expect(Object.keys(SETTINGS.shape).filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(text))).toEqual([]);
  });
});

const WRONG: Readonly<Record<string, readonly string[]>> = {
  NODE_ENV: ['prod'],
  PORT: ['65536', '0x50', 'http'],
  DATABASE_URL: ['mysql://shop:s3cret@db/pets', `"${DATABASE_URL}"`],
  DATABASE_READ_URL: ['postgresql://one/pets', 'mysql://shop:s3cret@db/pets'],
  DATABASE_POOL_SIZE: ['0'],
  BOOTSTRAP_API_KEY: ['s3cret', 's3cret but with blanks'],
  API_KEY_PREFIX: ['as-staging'],
  PRODUCTION_BASE_URL: ['https://shop.example', 'ftp://shop.example/v1', 'https://shop.example/?path=/v1'],
  BODY_LIMIT: ['0', '1g'],
  PUBLIC_PATH_PREFIX: ['shop', '/shop/', '/shop/../other', '/sh%6Fp'],
  CORS_ORIGINS: ['*', 'https://*.shop.example', 'https://Shop.example', 'ftp://a.example', 'https://a.example/path'],
  DOCS_ENABLED: ['yes', 'TRUE'],
  LOG_LEVEL: ['verbose'],
  TRUST_PROXY: ['no; such thing', '10.0.0.0/8/8'],
  SHUTDOWN_GRACE_SECONDS: ['0'],
};

describe('a configuration that cannot be', () => {
  test.each(Object.entries(WRONG).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
    'is refused for %s=%s, in a sentence that begins with the name and does not tell a secret',
    (name, text) => {
      const faults = faultsOf({ [name]: text });
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} must (?:be|end) `))]);
      expect(faults.join()).not.toContain('s3cret');
    },
  );

  test('is refused with every fault at once, each setting once, and with names that may be meant to be others', () => {
    const variables = {
      NODE_ENV: 'production',
      PORT: 'http',
      DATABSE_URL: 'postgresql://me:s3cret@db/pets',
    };
    expect(() => readEnvironment(variables)).toThrow(
      /^The environment is not valid:\n {2}PORT must be .*\n {2}DATABASE_URL must be set when NODE_ENV is production: .*\n {2}DATABSE_URL is not a setting and has no effect. Did you mean DATABASE_URL\?$/,
    );
  });
});

describe('a setting in a file', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function file(content: string): string {
    const path = join(folder, `secret-${content.length}`);
    writeFileSync(path, content);
    return path;
  }

  test('is as good as the variable, without the line break at its end', () => {
    const environment = readEnvironment({ NODE_ENV: 'production', DATABASE_URL_FILE: file(`${TLS_URL}\n`) });
    expect(environment).toHaveProperty('DATABASE_URL', TLS_URL);
  });

  test('is refused beside the variable, and when the file is missing', () => {
    const variables = { BOOTSTRAP_API_KEY, BOOTSTRAP_API_KEY_FILE: file(BOOTSTRAP_API_KEY) };
    expect(faultsOf({ ...variables, NODE_ENV: 'production', DATABASE_URL_FILE: join(folder, 'missing') })).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read',
      'BOOTSTRAP_API_KEY and BOOTSTRAP_API_KEY_FILE are both set: keep one',
    ]);
  });
});

describe('a doubtful setting', () => {
  test.each([
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['log_level', 'LOG_LEVEL'],
  ])('is told with the setting that was probably meant, and without its value: %s', (name, meant) => {
    expect(misspelledSettings({ [name]: 's3cret' })).toEqual([
      `${name} is not a setting and has no effect. Did you mean ${meant}?`,
    ]);
  });

  test('is none of the settings, and none of the system, Node, npm, libpq, Kubernetes or other programs', () => {
    const names =
      'PATH HOME HOSTNAME HOSTTYPE LOGNAME USER PWD OLDPWD SHELL SHLVL LANG LC_ALL TERM TMPDIR MAIL EDITOR TZ DISPLAY ' +
      'XDG_DATA_DIRS NODE NODE_PATH NODE_OPTIONS NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS npm_config_cache npm_lifecycle_event ' +
      'PGHOST PGPORT PGUSER PGSSLMODE PGSSLROOTCERT OTEL_LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT TEST_DATABASE_URL ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST ANIMAL_STORE_PORT ANIMAL_STORE_SERVICE_PORT POSTGRES_PASSWORD API_PORT ' +
      'DOCKER_HOST HTTP_PROXY NO_PROXY CI DEBUG COLORTERM NO_COLOR JAVA_HOME GOPATH DATABASE_URL METRICS_HOST DATABASE_READ_URL_FILE';
    expect(misspelledSettings(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([]);
  });

  test.each(['DATABASE_URL', 'DATABASE_READ_URL'])('is %s of another machine without TLS in production', (name) => {
    const production = { NODE_ENV: 'production', DATABASE_URL: TLS_URL, [name]: DATABASE_URL };
    expect(settingWarnings(readEnvironment(production))).toEqual([
      expect.stringMatching(`^${name} leads to another machine without TLS.*sslmode=verify-full`),
    ]);
    expect(settingWarnings(readEnvironment({ ...production, NODE_ENV: 'development' }))).toEqual([]);
    expect(settingWarnings(readEnvironment({ ...production, [name]: TLS_URL }))).toEqual([]);
  });

  test('is a limit of open files that is too low for the connections', () => {
    expect(openFilesWarning(1_024, 1_224)).toBeUndefined();
    expect(openFilesWarning(1_024, 1_223)).toMatch(/^The process may open 1223 files, .*: allow 1224 /);
    expect(openFilesWarning(Number.MAX_SAFE_INTEGER)).toContain('The process may open');
  });
});

describe('the settings of a module', () => {
  test('are provided by their class, and refused with all others at once', async () => {
    class VetsSettings extends settingsOf(
      z.object({
        VETS_PER_PAGE: z.coerce.number('must be a number').default(20),
        VETS_TOKEN: z.string().min(4, 'must have 4 or more characters'),
      }),
    ) {}

    @Injectable()
    class Vets {
      constructor(readonly settings: VetsSettings) {}
    }

    @Module({ providers: [VetsSettings, Vets] })
    class VetsModule {}

    const root = { module: class {}, imports: [SettingsModule.forRoot({ VETS_TOKEN: 'secret' }), VetsModule] };
    const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    expect(context.get(Vets, { strict: false }).settings).toEqual({ VETS_PER_PAGE: 20, VETS_TOKEN: 'secret' });
    expect(faultsOf({ PORT: 'http', VETS_PER_PAGE: 'many' })).toEqual([
      'PORT must be an integer between 0 and 65535',
      'VETS_PER_PAGE must be a number',
      'VETS_TOKEN must be set',
    ]);
  });
});
