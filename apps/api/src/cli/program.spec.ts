import { DataDirError, PendingMigrationsError, TableInUseError } from '@animal-store/persistence';
import { reasonOf } from './program.js';

function errorOf(code: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { code, ...more });
}

const REFUSED = errorOf('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', { errno: -111, syscall: 'connect' });
const NO_FILE = errorOf('EACCES', "EACCES: permission denied, mkdir '/data'", { errno: -13, syscall: 'mkdir' });
const IN_USE = new TableInUseError(errorOf('55P03', 'canceling statement due to lock timeout'));
const UNKNOWN = errorOf('42P01', 'relation "x" does not exist');

describe('what a command says that failed', () => {
  test.each([
    ['connect ECONNREFUSED 127.0.0.1:5432', new AggregateError([REFUSED], '')],
    ['relation "x" does not exist', new Error(`select 's3cret' from x - ${UNKNOWN.message}`, { cause: UNKNOWN })],
    [`${IN_USE.message} (canceling statement due to lock timeout)`, IN_USE],
    [new DataDirError('/data', NO_FILE).message, new DataDirError('/data', NO_FILE)],
    ['Migrations are pending: all. Run npm run db:migrate', new PendingMigrationsError(['all'])],
  ])('is one line: %s', (line, error) => {
    expect(reasonOf(error)).toBe(line);
  });

  test('is where it happened, where something is wrong with the code', () => {
    expect(reasonOf(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n\s+at /);
  });
});
