import { Logger } from '@nestjs/common';
import { type DatabaseHealth, PendingMigrationsError } from '@animal-store/persistence';
import { Readiness } from './health.controller.js';

const { jest } = import.meta;

const REFUSED = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });

test('the log has each new reason why the service is not ready once, and the end of it once', async () => {
  const lines: unknown[] = [];
  const note = (message: unknown) => void lines.push(message);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(note);
  let failure: Error | undefined;
  const check = () => (failure === undefined ? Promise.resolve() : Promise.reject(failure));
  const readiness = new Readiness({ check } as DatabaseHealth);

  const states: boolean[] = [];
  for (failure of [undefined, REFUSED, REFUSED, new PendingMigrationsError(['one', 'two']), undefined, undefined])
    states.push(await readiness.check());

  expect(states).toEqual([true, false, false, false, true, true]);
  expect(lines).toEqual([
    'Not ready: connect ECONNREFUSED 10.0.0.7:5432. No restart is needed when this is over',
    'Not ready: Migrations are pending: one, two. Run npm run db:migrate. No restart is needed when this is over',
    'Ready',
  ]);
  jest.restoreAllMocks();
});
