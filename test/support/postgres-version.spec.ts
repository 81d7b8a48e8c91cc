import { newestOfMajor, parsePostgresVersion } from './postgres-version.js';

test('a version is its major number', () => {
  expect(parsePostgresVersion('17')).toEqual({ major: 17 });
});

test('a version may name the folder of its programs', () => {
  expect(parsePostgresVersion('15=/usr/lib/postgresql/15/bin')).toEqual({
    major: 15,
    folder: '/usr/lib/postgresql/15/bin',
  });
});

test.each(['', '9', '17.2', 'v17', '17=', '15 17'])('%j is no version', (text) => {
  expect(() => parsePostgresVersion(text)).toThrow('is no major version');
});

test('the newest of a major version is the last that npm lists', () => {
  expect(newestOfMajor(17, ['16.1.0', '17.2.0-beta.1', '17.10.0-beta.2', '18.0.0'])).toBe('17.10.0-beta.2');
});

test('a major version that npm lacks is refused with those that it has', () => {
  expect(() => newestOfMajor(99, ['16.1.0', '16.2.0', '17.0.0'])).toThrow('npm has no PostgreSQL 99, only 16, 17');
});
