import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareSettings, InvalidEnvironmentError, SettingsModule } from '@animal-store/settings';
import { z } from 'zod';
import { doubtfulSettings, readEnvironment, unknownSettings } from './environment.js';

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
  test('has a default for everything', () => {
    expect(readEnvironment({})).toEqual({
      NODE_ENV: 'development',
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      DATABASE_POOL_SIZE: 10,
      DATABASE_PREPARED_STATEMENTS: true,
      BODY_LIMIT: 102_400,
      MAX_CONNECTIONS: 1024,
      KEEP_ALIVE_SECONDS: 65,
      DOCS_ENABLED: true,
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_SECONDS: 25,
      SHUTDOWN_DELAY_SECONDS: 0,
      METRICS_HOST: '127.0.0.1',
      variables: {},
    });
  });

  test('takes an empty variable for one that is not set', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '', LOG_LEVEL: '', CORS_ORIGINS: '' })).toEqual(
      readEnvironment({}),
    );
  });

  test('leaves alone what is not its own', () => {
    const variables = { PATH: '/usr/bin', npm_config_user_agent: 'npm' };
    expect(readEnvironment(variables)).toEqual({ ...readEnvironment({}), variables });
  });

  test.each([
    ['PORT', '0', 0],
    ['HOST', '::', '::'],
    ['DATABASE_URL', DATABASE_URL, DATABASE_URL],
    ['DATABASE_URL', 'postgres://db/pets', 'postgres://db/pets'],
    ['DATABASE_POOL_SIZE', '1', 1],
    ['BOOTSTRAP_API_KEY', BOOTSTRAP_API_KEY, BOOTSTRAP_API_KEY],
    ['API_KEY_PREFIX', 'asstaging', 'asstaging'],
    ['PRODUCTION_BASE_URL', 'https://shop.example/v1', 'https://shop.example/v1'],
    ['BODY_LIMIT', '512k', 524_288],
    ['BODY_LIMIT', '2m', 2_097_152],
    ['BODY_LIMIT', '2MiB', 2_097_152],
    ['MAX_CONNECTIONS', '100000', 100_000],
    ['KEEP_ALIVE_SECONDS', '620', 620],
    ['PUBLIC_PATH_PREFIX', '/shop/eu.v1', '/shop/eu.v1'],
    ['BOOTSTRAP_API_KEY', '"in-quotes-of-its-own"', '"in-quotes-of-its-own"'],
    ['CORS_ORIGINS', 'https://a.example, http://localhost:8080', ['https://a.example', 'http://localhost:8080']],
    ['DOCS_ENABLED', 'false', false],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['TRUST_PROXY', '2', 2],
    ['RATE_LIMIT_PER_MINUTE', '600', 600],
    ['METRICS_PORT', '9464', 9464],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
    ['SHUTDOWN_GRACE_SECONDS', '3600', 3600],
    ['SHUTDOWN_DELAY_SECONDS', '24', 24],
  ])('reads %s=%s', (name, text, value) => {
    expect(readEnvironment({ [name]: text })).toHaveProperty(name, value);
  });
});

describe('a configuration that cannot be', () => {
  test.each([
    ['NODE_ENV', 'prod'],
    ['PORT', '65536'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://db/pets'],
    ['DATABASE_READ_URL', 'postgresql://one/pets'],
    ['DATABASE_POOL_SIZE', '0'],
    ['BOOTSTRAP_API_KEY', 'only-15-of-them'],
    ['BOOTSTRAP_API_KEY', 'sixteen but with blanks'],
    ['API_KEY_PREFIX', 'as-staging'],
    ['PRODUCTION_BASE_URL', 'https://shop.example'],
    ['STAGING_BASE_URL', 'ftp://shop.example/v1'],
    ['STAGING_BASE_URL', 'https://shop.example/?path=/v1'],
    ['BODY_LIMIT', '0'],
    ['BODY_LIMIT', '1g'],
    ['MAX_CONNECTIONS', '0'],
    ['KEEP_ALIVE_SECONDS', '0'],
    ['PUBLIC_PATH_PREFIX', 'shop'],
    ['PUBLIC_PATH_PREFIX', '/shop/'],
    ['PUBLIC_PATH_PREFIX', '/shop/../other'],
    ['PUBLIC_PATH_PREFIX', '/sh%6Fp'],
    ['HOST', '"127.0.0.1"'],
    ['DATA_DIR', "'.data'"],
    ['DATABASE_URL', `"${DATABASE_URL}"`],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://*.shop.example'],
    ['CORS_ORIGINS', 'https://Shop.example'],
    ['CORS_ORIGINS', 'ftp://shop.example'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['DOCS_ENABLED', 'yes'],
    ['LOG_LEVEL', 'verbose'],
    ['TRUST_PROXY', 'no; such thing'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['METRICS_PORT', '65536'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['SHUTDOWN_GRACE_SECONDS', '0'],
    ['SHUTDOWN_DELAY_SECONDS', '-1'],
    ['SHUTDOWN_DELAY_SECONDS', '25'],
  ])('is refused for %s=%s, in a sentence that begins with the name', (name, text) => {
    expect(faultsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name} must (?:be|end) `))]);
  });

  test('is refused with what is wrong among several settings, beside what is wrong with one', () => {
    const faults = faultsOf({
      NODE_ENV: 'production',
      LOG_LEVEL: 'loud',
      SHUTDOWN_GRACE_SECONDS: '5',
      SHUTDOWN_DELAY_SECONDS: '5',
    });
    expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'SHUTDOWN_DELAY_SECONDS',
    ]);
  });

  test('is refused for a wrong setting once, also where another depends on it', () => {
    expect(faultsOf({ SHUTDOWN_GRACE_SECONDS: 'x', SHUTDOWN_DELAY_SECONDS: '5' })).toHaveLength(1);
  });

  test('is refused with the names that may be meant to be others', () => {
    expect(() => readEnvironment({ NODE_ENV: 'production', DATABSE_URL: 'postgresql://me:s3cret@db/pets' })).toThrow(
      /DATABASE_URL must be set .*\n {2}DATABSE_URL is not a setting and has no effect. Did you mean DATABASE_URL\?$/s,
    );
  });

  test('is refused in a message that holds every fault', () => {
    expect(() => readEnvironment({ PORT: 'http', DOCS_ENABLED: 'yes' })).toThrow(
      'The environment is not valid:\n  PORT must be an integer between 0 and 65535\n  DOCS_ENABLED must be true or false',
    );
  });

  test.each([
    ['DATABASE_URL', 'mysql://shop:s3cret@db/pets'],
    ['DATABASE_READ_URL', 'mysql://shop:s3cret@db/pets'],
    ['BOOTSTRAP_API_KEY', 's3cret'],
    ['BOOTSTRAP_API_KEY', 's3cret with blanks in it'],
  ])('is refused without telling the value of %s', (name, secret) => {
    expect(faultsOf({ [name]: secret }).join()).not.toContain('s3cret');
  });
});

describe('in production', () => {
  test('the embedded database is refused in a sentence that says what to set', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(
        /^DATABASE_URL must be set when NODE_ENV is production: .*postgresql:\/\/user:password@host:5432\/name/,
      ),
    ]);
  });

  test('a PostgreSQL server will do', () => {
    expect(readEnvironment({ NODE_ENV: 'production', DATABASE_URL: TLS_URL })).toHaveProperty('DATABASE_URL', TLS_URL);
  });

  test.each(['DATABASE_URL', 'DATABASE_READ_URL'])('%s without TLS to another machine is warned about', (name) => {
    const production = { NODE_ENV: 'production', DATABASE_URL: TLS_URL, [name]: DATABASE_URL };
    expect(doubtfulSettings(readEnvironment(production))).toEqual([
      expect.stringMatching(`^${name} leads to another machine without TLS.*sslmode=verify-full`),
    ]);
    expect(doubtfulSettings(readEnvironment({ ...production, NODE_ENV: 'development' }))).toEqual([]);
    expect(doubtfulSettings(readEnvironment({ ...production, [name]: TLS_URL }))).toEqual([]);
  });

  test('a fifth of the time for the shutdown is left to the balancer, unless told otherwise', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: TLS_URL };
    expect(readEnvironment(production).SHUTDOWN_DELAY_SECONDS).toBe(5);
    expect(readEnvironment({ ...production, SHUTDOWN_GRACE_SECONDS: '4' }).SHUTDOWN_DELAY_SECONDS).toBe(0);
    expect(readEnvironment({ ...production, SHUTDOWN_DELAY_SECONDS: '0' }).SHUTDOWN_DELAY_SECONDS).toBe(0);
  });

  test('an empty DATABASE_URL is none', () => {
    expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: '' })).toHaveLength(1);
  });
});

describe('a secret in a file', () => {
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

  test.each([
    ['DATABASE_URL', DATABASE_URL],
    ['BOOTSTRAP_API_KEY', BOOTSTRAP_API_KEY],
  ])('is as good as the variable %s, without the line break at its end', (name, secret) => {
    expect(readEnvironment({ [`${name}_FILE`]: file(`${secret}\n`) })).toHaveProperty(name, secret);
  });

  test('will do in production', () => {
    const environment = readEnvironment({ NODE_ENV: 'production', DATABASE_URL_FILE: file(TLS_URL) });
    expect(environment).toMatchObject({ NODE_ENV: 'production', DATABASE_URL: TLS_URL });
  });

  test('is held to the same rule', () => {
    expect(faultsOf({ BOOTSTRAP_API_KEY_FILE: file('short') })).toEqual([
      'BOOTSTRAP_API_KEY must be 16 or more visible ASCII characters',
    ]);
  });

  test('is refused beside the variable, as nobody could tell which one counts', () => {
    expect(faultsOf({ BOOTSTRAP_API_KEY, BOOTSTRAP_API_KEY_FILE: file(BOOTSTRAP_API_KEY) })).toEqual([
      'BOOTSTRAP_API_KEY and BOOTSTRAP_API_KEY_FILE are both set: keep one',
    ]);
  });

  test('is missed when the file is', () => {
    expect(faultsOf({ BOOTSTRAP_API_KEY_FILE: join(folder, 'missing') })).toEqual([
      'BOOTSTRAP_API_KEY_FILE names a file that cannot be read',
    ]);
  });

  test('hides no other fault when it is missed', () => {
    const faults = faultsOf({ NODE_ENV: 'production', BOOTSTRAP_API_KEY_FILE: join(folder, 'missing') });
    expect(faults).toEqual([
      'BOOTSTRAP_API_KEY_FILE names a file that cannot be read',
      expect.stringContaining('DATABASE_URL must be set'),
    ]);
  });

  test('is missed once, and not called unset as well', () => {
    expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL_FILE: join(folder, 'missing') })).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read',
    ]);
  });
});

describe('a variable that is no setting', () => {
  test.each([
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PROT', 'PORT'],
    ['HSOT', 'HOST'],
    ['log_level', 'LOG_LEVEL'],
  ])('is told with the setting that was probably meant: %s', (name, meant) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting and has no effect. Did you mean ${meant}?`,
    ]);
  });

  test('is told without its value', () => {
    expect(unknownSettings({ DATABSE_URL: 'postgresql://me:s3cret@db/pets' }).join()).not.toContain('s3cret');
  });

  test('is left alone where it belongs to the system, to Node, to npm, to libpq, to Kubernetes or to other programs', () => {
    const names =
      'PATH HOME HOSTNAME HOSTTYPE LOGNAME USER PWD OLDPWD SHELL SHLVL LANG LC_ALL TERM TMPDIR MAIL EDITOR TZ DISPLAY ' +
      'XDG_DATA_DIRS NODE NODE_PATH NODE_OPTIONS NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS npm_config_cache npm_lifecycle_event ' +
      'PGHOST PGPORT PGUSER PGSSLMODE PGSSLROOTCERT OTEL_LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT TEST_DATABASE_URL ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST ANIMAL_STORE_PORT ANIMAL_STORE_SERVICE_PORT POSTGRES_PASSWORD API_PORT ' +
      'DOCKER_HOST HTTP_PROXY NO_PROXY CI DEBUG COLORTERM NO_COLOR JAVA_HOME GOPATH';
    expect(unknownSettings(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([]);
  });

  test.each(['DATABASE_URL', 'DATABASE_READ_URL_FILE', 'MAX_CONNECTIONS', 'METRICS_HOST', 'METRICS_PORT'])(
    'is none of the settings: %s',
    (name) => {
      expect(unknownSettings({ [name]: 'x' })).toEqual([]);
    },
  );
});

describe('the settings of a module', () => {
  class VetsSettings extends declareSettings({
    VETS_PER_PAGE: z.coerce.number('must be a number').default(20),
    VETS_TOKEN: z.string().min(16, 'must have 16 or more characters'),
  }) {}

  test('are no reason for a fault where no module declares them', () => {
    expect(faultsOf({ VETS_PER_PAGE: 'many' })).toEqual([]);
  });

  test('are refused with all other faults at once', () => {
    SettingsModule.forFeature(VetsSettings);
    expect(faultsOf({ PORT: 'http', VETS_PER_PAGE: 'many' })).toEqual([
      'PORT must be an integer between 0 and 65535',
      'VETS_PER_PAGE must be a number',
      'VETS_TOKEN must be set',
    ]);
  });

  test('are missed in the file that they name', () => {
    expect(faultsOf({ VETS_TOKEN_FILE: '/nowhere' })).toEqual(['VETS_TOKEN_FILE names a file that cannot be read']);
  });
});
