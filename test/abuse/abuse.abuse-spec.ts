import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce } from '../support/built-server.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { attack, besideBystander, type Attack } from './attack.js';
import { ATTACKS, LONG_PATHS, READINESS_ALL_THE_TIME } from './attacks.js';
import { LimitedServer } from './limited-server.js';

/** The limits of an attack: the memory of the service in MiB, and the duration of a call of another client in milliseconds. */
const MOST_MEBIBYTES = 400;
const WORST_MS = 1_000;

/** How often each attack is repeated, one after the other. */
const ROUNDS = 2;

/** How long the other client sends calls before the first attack and after the last attack. */
const CALM_MS = 300;

/** Enough for one line per second, each with its error. */
const MOST_LOGGED_BYTES = 100_000;

interface Cost {
  readonly failures: readonly string[];
  readonly worstMs: number;
}

/** Attacks the service in rounds while a well-behaved client calls it. Prints the cost of the attacks. */
async function attackInRounds(server: LimitedServer, name: string, describeAttack: () => Attack): Promise<Cost> {
  const { calls, failures, worstMs } = await besideBystander(server.port, TEST_API_KEY, async () => {
    await delay(CALM_MS);
    for (let round = 0; round < ROUNDS; round++) await attack(server.port, describeAttack());
    await delay(CALM_MS);
  });
  const memory = server.isRunning ? `peak ${Math.round(server.peakMebibytes)} MiB` : `ended by ${server.ending}`;
  const calling = `${failures.length} of ${calls} calls failed, worst ${Math.round(worstMs)} ms`;
  process.stdout.write(`${memory}, ${calling}: ${name}\n`);
  return { failures, worstMs };
}

describe('the service serves others, and stays small, beside', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: LimitedServer;

  beforeAll(buildOnce);

  afterEach(() => server.stop());

  async function start(readsLog: boolean): Promise<void> {
    server = await LimitedServer.start({ ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY }, readsLog);
  }

  function expectHarmless({ failures, worstMs }: Cost): void {
    expect(server.isRunning).toBe(true);
    expect(server.peakMebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES);
    expect(failures).toEqual([]);
    expect(worstMs).toBeLessThan(WORST_MS);
  }

  test.each(Object.entries(ATTACKS))('%s', async (name, describeAttack) => {
    await start(true);
    expectHarmless(await attackInRounds(server, name, describeAttack));
  });

  test('24,000 requests with paths of 8 kB while nobody reads the log', async () => {
    await start(false);
    expectHarmless(await attackInRounds(server, 'paths of 8 kB while nobody reads the log', LONG_PATHS));
    expect(await server.signal('SIGTERM')).toBe(0);
  });
});

describe('while the database is away', () => {
  let server: LimitedServer;

  beforeAll(buildOnce);

  afterEach(() => server.stop());

  test('requests for readiness write little into the log', async () => {
    const nobody = `postgresql://127.0.0.1:${await freePort()}/away`;
    server = await LimitedServer.start({ DATABASE_URL: nobody, LOG_LEVEL: 'warn' });
    await attack(server.port, READINESS_ALL_THE_TIME());
    process.stdout.write(`${server.loggedBytes} bytes of log: readiness all the time, without a database\n`);
    expect(server.loggedBytes).toBeLessThan(MOST_LOGGED_BYTES);
    expect(server.peakMebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES);
  });
});
