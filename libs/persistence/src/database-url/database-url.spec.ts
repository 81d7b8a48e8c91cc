import { completeDatabaseUrl, InvalidDatabaseUrlError, isPrivate, readDatabaseUrl } from './database-url.js';

function faultsOf(url: string): readonly string[] {
  try {
    readDatabaseUrl(url);
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.faults;
    throw error;
  }
  return [];
}

describe('the address of a database', () => {
  test('tells host, port, user, password and database', () => {
    expect(readDatabaseUrl('postgresql://shop:s3cret@db.internal:5433/pets')).toEqual({
      host: 'db.internal',
      port: '5433',
      user: 'shop',
      password: 's3cret',
      database: 'pets',
      tls: undefined,
    });
  });

  test.each([
    ['postgres://db/pets', { host: 'db', port: '', user: '', password: '' }],
    ['postgresql://sh%40p:%3A%2F%3F%23%25%C3%A4@db/p%20ets', { user: 'sh@p', password: ':/?#%ä', database: 'p ets' }],
    ['postgresql://[::1]:5433/pets', { host: '::1', port: '5433' }],
    ['postgresql://shop@%2Fvar%2Frun%2Fpostgresql/pets', { host: '/var/run/postgresql', user: 'shop' }],
  ])('is read from %s', (url, parts) => {
    expect(readDatabaseUrl(url)).toMatchObject(parts);
  });

  test.each([
    ['', undefined],
    ['?sslmode=disable', undefined],
    [`?sslmode=disable&sslrootcert=/none`, undefined],
    ['?sslmode=require', { mode: 'require' }],
    ['?sslmode=verify-full&sslrootcert=system', { mode: 'verify-full', rootCertificate: 'system' }],
    ['?sslrootcert=system', { mode: 'verify-full', rootCertificate: 'system' }],
  ])('with %s asks for TLS as libpq has it', (query, tls) => {
    const read = readDatabaseUrl(`postgresql://db/pets${query}`).tls;
    expect(read && JSON.parse(JSON.stringify(read))).toEqual(tls);
  });

  test('asks for none on a Unix socket, as libpq has it', () => {
    expect(readDatabaseUrl('postgresql://%2Frun/pets?sslmode=require').tls).toBeUndefined();
  });

  test.each([
    ['mysql://shop:s3cret@db/pets', 'must be an address such as postgresql://user:password@host:5432/name'],
    ['postgresql:db', 'must be an address such as postgresql://user:password@host:5432/name'],
    ['postgresql://shop:s3cret@one,two/pets', 'must name one host'],
    ['postgresql:///pets', 'must name one host'],
    ['postgresql://shop:s3cret@db', 'must end in the name of the database'],
    ['postgresql://shop:s3cret%zz@db/pets', 'must write % as %25'],
    ['postgresql://db/pets?sslrootcert=%zz', 'must write % as %25'],
    ['postgresql://shop:12/s3cret@db/pets', 'must write @, /, ? and # as %40, %2F, %3F and %23'],
    [
      'postgresql://db/pets?sslmod=require',
      'must not have the parameter "sslmod": sslmode, sslrootcert, sslcert and sslk',
    ],
    ['postgresql://db/pets?host=other', 'must not have the parameter "host"'],
    ['postgresql://db/pets?sslmode=require&sslmode=disable', 'must have the parameter sslmode once'],
    ['postgresql://db/pets?sslmode=no-verify', 'must have disable, require, verify-ca or verify-full for its ssl'],
    [
      'postgresql://db/pets?sslmode=allow',
      'must have require or verify-full for its sslmode (or PGSSLMODE), or disable',
    ],
    ['postgresql://db/pets?sslmode=prefer', 'must have require or verify-full for its sslmode (or PGSSLMODE), or disa'],
    ['postgresql://db/pets?sslmode=verify-ca', 'must name the authorities to trust in sslrootcert (or PGSSLROOTCERT)'],
    [
      'postgresql://db/pets?sslmode=verify-full',
      'must name the authorities to trust in sslrootcert (or PGSSLROOTCERT)',
    ],
    ['postgresql://db/pets?sslmode=require&sslrootcert=system', 'must have verify-full for its sslmode'],
    ['postgresql://db/pets?sslrootcert=/ca.crt', 'must say which sslmode (or PGSSLMODE) its sslrootcert is for'],
  ])('is refused as %s', (url, fault) => {
    expect(faultsOf(url)).toEqual([expect.stringContaining(fault)]);
    expect(faultsOf(url).join()).not.toContain('s3cret');
  });

  test('is refused with every fault at once', () => {
    expect(faultsOf('postgresql://db?sslmode=verify-full&sslcert=/none&sslkey=/missing&user=me')).toEqual([
      expect.stringMatching('name of the database'),
      expect.stringMatching('"user"'),
      expect.stringMatching('authorities to trust'),
      expect.stringMatching('/none does not'),
      expect.stringMatching('/missing does not'),
    ]);
  });
});

describe('what the environment says about TLS', () => {
  const variables = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/c++/ca&1.crt', PGSSLCERT: undefined };

  test('is put where the address is silent', () => {
    expect(completeDatabaseUrl('postgresql://db/pets', variables)).toBe(
      'postgresql://db/pets?sslmode=verify-full&sslrootcert=%2Fc%2B%2B%2Fca%261.crt',
    );
  });

  test('leaves what the address says itself', () => {
    expect(completeDatabaseUrl('postgresql://db/pets?sslmode=disable', variables)).toBe(
      'postgresql://db/pets?sslmode=disable&sslrootcert=%2Fc%2B%2B%2Fca%261.crt',
    );
  });

  test('leaves what is no address', () => {
    expect(completeDatabaseUrl('db, pets', variables)).toBe('db, pets');
  });
});

test.each([
  ['db', '', false],
  ['db', '?sslmode=require', true],
  ['db', '?sslrootcert=system', true],
  ['localhost', '', true],
  ['127.0.0.1', '', true],
  ['[::1]', '', true],
  ['%2Frun', '', true],
  ['localhost.example', '', false],
  ['10.0.0.1', '', false],
])('whether nobody else can listen on the way to %s with "%s": %s', (host, query, expected) => {
  expect(isPrivate(readDatabaseUrl(`postgresql://${host}/pets${query}`))).toBe(expected);
});
