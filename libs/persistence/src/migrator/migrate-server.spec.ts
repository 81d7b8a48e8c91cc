import { retryOnLockTimeout, TableInUseError } from './migrate-server.js';

const NO_LOCK = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const PATIENCE = { giveUpAfterMs: 1_000, pauseMs: 1, onWait: () => undefined };

/** Gets no lock this often, and is done then. */
function work(failures: number, failure: Error = NO_LOCK) {
  let tries = 0;
  return () => (tries++ < failures ? Promise.reject(failure) : Promise.resolve(tries));
}

describe('work that gives way', () => {
  test('is done again until it gets its lock', async () => {
    expect(await retryOnLockTimeout(work(3), PATIENCE)).toBe(4);
  });

  test('says once that it waits', async () => {
    let said = 0;
    await retryOnLockTimeout(work(3), { ...PATIENCE, onWait: () => said++ });
    expect(said).toBe(1);
  });

  test('is not done again when it fails otherwise', async () => {
    const failure = new Error('syntax error');
    await expect(retryOnLockTimeout(work(1, failure), PATIENCE)).rejects.toBe(failure);
  });

  test('is given up in the end, with the way to find who is in the way', async () => {
    const given = retryOnLockTimeout(work(Infinity), { ...PATIENCE, giveUpAfterMs: 20 });
    await expect(given).rejects.toThrow(TableInUseError);
    await expect(given).rejects.toThrow('pg_stat_activity');
  });
});
