import { Logger } from '@nestjs/common';
import { DatabaseHealth, PendingMigrationsError } from '@animal-store/persistence';
import { SecretNotStoredError } from '@animal-store/persistence/secrets';
import { NotReadyError, Readiness } from './readiness.js';

const { jest } = import.meta;

const REFUSED = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
const AWAY =
  'Not ready: The database is away: connect ECONNREFUSED 10.0.0.7:5432. No restart is needed when it is back';

let failure: Error | undefined;
let readiness: Readiness;
let lines: string[];

beforeEach(() => {
  [failure, lines] = [undefined, []];
  const note = (message: unknown) => {
    lines.push(String(message));
  };
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(note);
  const check = () => (failure === undefined ? Promise.resolve() : Promise.reject(failure));
  readiness = new Readiness({ check } as DatabaseHealth);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the readiness of the service', () => {
  test('is not worth a line while it is ready', async () => {
    await readiness.check();
    await readiness.logState();
    expect(lines).toEqual([]);
  });

  test.each([
    [REFUSED, AWAY],
    [new Error('select 1 - connect ECONNREFUSED', { cause: new AggregateError([REFUSED]) }), AWAY],
    [
      new PendingMigrationsError(['one', 'two']),
      'Not ready: Migrations are pending: one, two. Run npm run db:migrate; no restart is needed',
    ],
    [
      new SecretNotStoredError('page-cursors', new Error('cannot execute INSERT in a read-only transaction')),
      'Not ready: The secret page-cursors is not stored yet, and cannot be stored: ' +
        'cannot execute INSERT in a read-only transaction. No restart is needed when it can',
    ],
    [new Error('permission denied for table pets'), 'Not ready: permission denied for table pets'],
  ])('is told with the reason when it ends: %s', async (error, line) => {
    failure = error;
    await expect(readiness.check()).rejects.toThrow(NotReadyError);
    expect(lines).toEqual([line]);
  });

  test('is told once for a reason, however many ask', async () => {
    failure = REFUSED;
    for (let times = 0; times < 10; times += 1) await readiness.logState();
    expect(lines).toEqual([AWAY]);
  });

  test('is told anew for another reason', async () => {
    failure = REFUSED;
    await readiness.logState();
    failure = new Error('the database system is starting up');
    await readiness.logState();
    expect(lines).toHaveLength(2);
  });

  test('is told again when it is back', async () => {
    failure = REFUSED;
    await readiness.logState();
    failure = undefined;
    await readiness.check();
    await readiness.check();
    expect(lines).toEqual([AWAY, expect.stringMatching(/^Ready, after 0 s /)]);
  });
});
