import { databaseErrorReason } from './database-errors.js';
import { DatabaseUnavailableError } from './translate-database-error.js';

function coded(code: string): Error {
  return Object.assign(new Error('of the server'), { code });
}

/** An error of Node, as that of a connection for which this process has no descriptor. */
function ofSystem(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}

describe('the reason why the database is unavailable', () => {
  test.each<[string, Error]>([
    ['lock_timeout', coded('55P03')],
    ['statement_timeout', coded('57014')],
    ['statement_timeout', new Error('Query read timeout')],
    ['disk_full', coded('53100')],
    ['read_only', coded('25006')],
    ['too_many_connections', coded('53300')],
    ['connection', coded('57P01')],
    ['connection', coded('08006')],
    ['connection', coded('28P01')],
    ['connection', coded('ECONNREFUSED')],
    ['connection', ofSystem('connect', 'EMFILE')],
    ['connection', ofSystem('connect', 'ENFILE')],
    ['connection', ofSystem('connect', 'EADDRNOTAVAIL')],
    ['connection', ofSystem('connect', 'ENOENT')],
    ['connection', ofSystem('getaddrinfo', 'EMFILE')],
    ['connection', new AggregateError([ofSystem('connect', 'EMFILE'), ofSystem('connect', 'EMFILE')])],
    ['connection', coded('CERT_HAS_EXPIRED')],
    ['connection', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])],
    ['connection', new Error('timeout exceeded when trying to connect')],
    ['other', coded('53200')],
    ['other', coded('25P03')],
    ['other', coded('42P01')],
    ['disk_full', new DatabaseUnavailableError(coded('53100'))],
    ['connection', new Error('Connection terminated unexpectedly')],
  ])('is %s: %p', (reason, error) => {
    expect(databaseErrorReason(error)).toBe(reason);
  });

  test.each([
    coded('23505'),
    coded('40001'),
    new TypeError('fetch failed', { cause: ofSystem('connect', 'ECONNREFUSED') }),
    ofSystem('open', 'EMFILE'),
    ofSystem('open', 'ENOENT'),
    coded('08P01'),
    Object.assign(coded('22P02'), { message: 'Connection terminated' }),
    new Error('a defect'),
    undefined,
    'text',
  ])('is none for %p, which says something else', (error) => {
    expect(databaseErrorReason(error)).toBeUndefined();
  });
});
