import { unknownSettings } from './environment.js';

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

  test.each(['DATABASE_URL', 'DATABASE_REPLICA_URLS_FILE', 'MAX_CONNECTIONS', 'METRICS_HOST', 'METRICS_PORT'])(
    'is none of the settings: %s',
    (name) => {
      expect(unknownSettings({ [name]: 'x' })).toEqual([]);
    },
  );
});
