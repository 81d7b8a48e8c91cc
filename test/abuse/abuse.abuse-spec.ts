import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce } from '../support/built-server.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { attack, besideBystander } from './attack.js';
import { ATTACKS } from './attacks.js';
import { LimitedServer } from './limited-server.js';

/** What an attack may cost: the memory of the service in MiB, and the time of a call of somebody else in milliseconds. */
const MOST_MEBIBYTES = 400;
const WORST_MS = 1_000;

/** How often each attack comes, one time after the other. */
const ROUNDS = 2;

describe('beside an attack by', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: LimitedServer;

  beforeAll(buildOnce);

  beforeEach(async () => {
    server = await LimitedServer.start({ ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY });
  });

  afterEach(() => server.stop());

  test.each(Object.entries(ATTACKS))('%s the service serves others, and stays small', async (name, describeAttack) => {
    const { calls, failures, worstMs } = await besideBystander(server.port, TEST_API_KEY, async () => {
      await delay(300);
      for (let round = 0; round < ROUNDS; round++) await attack(server.port, describeAttack());
      await delay(300);
    });
    const memory = server.isRunning ? `peak ${Math.round(server.peakMebibytes)} MiB` : 'killed';
    const calling = `${failures.length} of ${calls} calls failed, worst ${Math.round(worstMs)} ms`;
    process.stdout.write(`${memory}, ${calling}: ${name}\n`);
    expect(server.isRunning).toBe(true);
    expect(server.peakMebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES);
    expect(failures).toEqual([]);
    expect(worstMs).toBeLessThan(WORST_MS);
  });
});
