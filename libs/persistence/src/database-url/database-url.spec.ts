import { InvalidDatabaseUrlError, isReadableByOthers, readDatabaseUrl } from './index.js';

function faultOf(url: string): string | undefined {
  try {
    readDatabaseUrl(url);
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.fault;
    throw error;
  }
  return undefined;
}

describe('the address of a database', () => {
  test.each([
    [
      'postgresql://shop:s3cret@db.internal:5433/pets',
      { host: 'db.internal', port: 5433, user: 'shop', password: 's3cret', database: 'pets' },
    ],
    ['postgresql://sh%40p:%3A%2F%3F%23%25%C3%A4@db/p%20ets', { user: 'sh@p', password: ':/?#%ä', database: 'p ets' }],
    ['postgresql://[::1]:5433/pets', { host: '::1', port: 5433 }],
    ['postgresql://shop@%2Fvar%2Frun%2Fpostgresql/pets', { host: '/var/run/postgresql', user: 'shop', ssl: false }],
    [
      'postgresql://db/pets?application_name=mine&options=endpoint%3Da',
      { application_name: 'mine', options: 'endpoint=a' },
    ],
    ['postgresql://db/pets?sslmode=require&channel_binding=require', { enableChannelBinding: true }],
    ['postgresql://db/pets?channel_binding=disable', { enableChannelBinding: false }],
  ])('is read from %s', (url, parts) => {
    expect(readDatabaseUrl(url)).toMatchObject(parts);
  });

  test.each([
    ['', undefined],
    ['?sslmode=disable', false],
    ['?sslmode=require', { rejectUnauthorized: false }],
    ['?sslmode=verify-full', {}],
    ['?uselibpqcompat=true&sslmode=require', { rejectUnauthorized: false }],
  ])('with "%s" asks for TLS as libpq has it', (query, ssl) => {
    expect(readDatabaseUrl(`postgresql://db/pets${query}`).ssl).toEqual(ssl);
  });

  test('asks for none on a Unix socket, as libpq has it', () => {
    expect(readDatabaseUrl('postgresql://%2Frun/pets?sslmode=require').ssl).toBe(false);
  });

  test.each([
    ['mysql://shop:s3cret@db/pets', 'must be an address such as postgresql://user:password@host:5432/name'],
    ['postgresql:db', 'must be an address such as postgresql://user:password@host:5432/name'],
    ['postgresql://shop:s3cret@one,two/pets', 'must name one host'],
    [
      'postgresql://shop:s3cret@db/pets?schema=shop&connect_timeout=5&sslmod=require',
      'has parameters that neither libpq nor pg knows: schema, sslmod (',
    ],
    ['postgresql:///pets', 'must name one host'],
    ['postgresql://shop:s3cret@db', 'must end in the name of the database'],
    ['postgresql://shop:12/s3cret@db/pets', 'must write @, /, ? and # as %40, %2F, %3F and %23'],
    [
      'postgresql://shop:s3cret@db/pets?sslmode=require&sslrootcert=/none',
      "cannot be used: ENOENT: no such file or directory, open '/none'",
    ],
    ['postgresql://shop:s3cret@db/pets?sslmode=verify-ca', 'cannot be used: '],
    ['postgresql://shop:s3cret@db/pets?uselibpqcompat=false', 'cannot be used: '],
    [
      'postgresql://shop:s3cret@db/pets?sslmode=requre',
      'must have one of libpq as its sslmode: disable, allow, prefer, ',
    ],
    ['postgresql://shop:s3cret@db/pets?sslmode=', 'must have one of libpq as its sslmode'],
    ['postgresql://shop:s3cret@db/pets?sslmode=require&sslmode=none', 'must have one of libpq as its sslmode'],
    ['postgresql://shop:12?sslmode=s3cret@db/pets', 'must have one of libpq as its sslmode'],
  ])('is refused as %s', (url, fault) => {
    expect(faultOf(url)).toContain(fault);
    expect(faultOf(url)).not.toContain('s3cret');
  });
});

test.each([
  ['db', '', true],
  ['db', '?sslmode=disable', true],
  ['db', '?sslmode=prefer', true],
  ['db', '?sslmode=require', false],
  ['db', '?sslmode=verify-full', false],
  ['localhost', '', false],
  ['127.0.0.1', '', false],
  ['[::1]', '', false],
  ['%2Frun', '', false],
  ['localhost.example', '', true],
  ['10.0.0.1', '', true],
])('whether others can read what is sent to %s with "%s": %s', (host, query, expected) => {
  expect(isReadableByOthers(`postgresql://${host}/pets${query}`)).toBe(expected);
});

test.each([
  ['verify-full', '', false],
  ['disable', '', true],
  ['verify-full', '?sslmode=disable', true],
])('with PGSSLMODE=%s, an address with "%s" can be read by others: %s', (mode, query, expected) => {
  const { PGSSLMODE: before } = process.env;
  process.env['PGSSLMODE'] = mode;
  expect(isReadableByOthers(`postgresql://db.example/pets${query}`)).toBe(expected);
  if (before === undefined) delete process.env['PGSSLMODE'];
  else process.env['PGSSLMODE'] = before;
});
