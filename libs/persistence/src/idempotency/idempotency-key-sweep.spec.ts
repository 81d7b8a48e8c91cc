import { Logger } from '@nestjs/common';
import type { Row } from '../sql/sql-executor.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';

describe('a sweep of the idempotency keys that fails', () => {
  let warnings: unknown[];

  beforeEach(() => {
    warnings = [];
    const ignore = () => undefined;
    Logger.overrideLogger({ log: ignore, error: ignore, debug: ignore, warn: (_error, text) => warnings.push(text) });
  });

  afterEach(() => {
    Logger.overrideLogger(true);
  });

  /** Sweeps with statements that fail, until it tried a third time. */
  async function sweepFailing(error: Error): Promise<void> {
    let tries = 0;
    const sweep = await new Promise<IdempotencyKeySweep>((resolve) => {
      const run = (): Promise<readonly Row[]> => {
        tries += 1;
        if (tries === 3) resolve(made);
        return Promise.reject(error);
      };
      const made = new IdempotencyKeySweep({ run }, 1);
      made.onApplicationBootstrap();
    });
    await sweep.onModuleDestroy();
  }

  test('tries again the next time, and says so', async () => {
    await sweepFailing(new Error('no such column'));
    expect(warnings.slice(0, 2)).toEqual(Array.from({ length: 2 }, () => 'Idempotency keys could not be swept'));
  });

  test('does not say so while the database is away', async () => {
    await sweepFailing(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    expect(warnings).toEqual([]);
  });
});
