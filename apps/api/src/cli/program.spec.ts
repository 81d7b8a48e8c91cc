import { CommanderError } from 'commander';
import { BrokenDataError, DataFolderError, PendingMigrationsError, TableInUseError } from '@animal-store/persistence';
import { InvalidEnvironmentError } from '@animal-store/settings';
import { ListenError } from '@animal-store/http';
import { exitCodeOf, sentenceOf } from './program.js';

function errorOf(code: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { code, ...more });
}

const REFUSED = errorOf('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', { errno: -111, syscall: 'connect' });
const TAKEN = new ListenError('Port 3000 of 127.0.0.1 is taken.', true, { cause: errorOf('EADDRINUSE', 'listen') });
const NO_HOST = new ListenError('x is no address.', false, { cause: errorOf('ENOTFOUND', 'getaddrinfo ENOTFOUND x') });
const NO_FILE = errorOf('ENOENT', "ENOENT: no such file or directory, open 'x'", { errno: -2, syscall: 'open' });
const IN_USE = new TableInUseError(errorOf('55P03', 'canceling statement due to lock timeout'));
const NO_SOCKET = errorOf('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', { errno: -2, syscall: 'connect' });

describe('what a command that failed ends with', () => {
  test.each([
    [0, 'the help was asked for', new CommanderError(0, 'commander.help', '')],
    [64, 'its words are wrong', new CommanderError(1, 'commander.unknownCommand', '')],
    [78, 'the environment is wrong', new InvalidEnvironmentError(['PORT must be a port'])],
    [78, 'the folder of the data is none', new DataFolderError('/data', NO_FILE)],
    [78, 'its host is no address', NO_HOST],
    [69, 'its port is taken', TAKEN],
    [69, 'the database is away', REFUSED],
    [69, 'the database is away behind an error of a library', new Error('select 1', { cause: REFUSED })],
    [69, 'the socket of the database is not there', NO_SOCKET],
    [69, 'its password is not believed', errorOf('28P01', 'password authentication failed for user "me"')],
    [69, 'the folder of the data is in use', errorOf('service_unavailable', 'in use', { kind: 'unavailable' })],
    [69, 'others use the table of a migration', IN_USE],
    [1, 'the data is broken', new BrokenDataError('/data', NO_FILE)],
    [1, 'a migration is pending', new PendingMigrationsError(['all'])],
    [1, 'a file is missing', NO_FILE],
    [1, 'a migration looks for a table that is not there', errorOf('42P01', 'relation "x" does not exist')],
    [1, 'something is wrong with the code', new TypeError('x is not a function')],
  ])('is %i where %s', (code, _what, error) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe('what a command says that failed', () => {
  test.each([
    ['The database is not available: connect ECONNREFUSED 127.0.0.1:5432', new AggregateError([REFUSED], '')],
    ['Port 3000 of 127.0.0.1 is taken.', TAKEN],
    ['x is no address.', NO_HOST],
    [IN_USE.message, IN_USE],
    [NO_FILE.message, NO_FILE],
    ['relation "x" does not exist', errorOf('42P01', 'relation "x" does not exist')],
    ['Migrations are pending: all. Run npm run db:migrate', new PendingMigrationsError(['all'])],
  ])('is one sentence: %s', (sentence, error) => {
    expect(sentenceOf(error)).toBe(sentence);
  });

  test('is where it happened, where something is wrong with the code', () => {
    expect(sentenceOf(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n\s+at /);
  });
});
