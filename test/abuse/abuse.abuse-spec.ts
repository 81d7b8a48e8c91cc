import { createConnection } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { nextPage } from '../support/page-links.js';
import { withClient } from '../support/database-client.js';
import { attack, besideBystander, type Attack } from './start-attack.js';
import {
  ATTACKS,
  ATTACKS_OF_STRANGERS,
  FLOODS,
  LONG_PATHS,
  METRICS_ATTACKS,
  READ_PAGES,
  UNREAD_PAGES,
  UNREAD_PAGE_EACH,
} from './attack-list.js';
import type { BystanderOutcome } from './bystander-thread.js';
import { MemoryLimitedServer } from './memory-limited-server.js';

/** The memory of the service during an attack, in MiB. */
const MOST_MEBIBYTES = 512;

/** How long others may wait during an attack, in milliseconds: of who has a key, and of who has none. */
const LONGEST_WAIT_MS = 3_000;
const LONGEST_WAIT_FOR_STRANGERS_MS = 1_000;

/** How often each attack is repeated, one after the other. */
const ROUNDS = 2;

/** How many requests are refused by the parser, one after the other. */
const REFUSALS = 200;

/** How long the other client sends calls before the first attack and after the last attack. */
const CALM_MS = 300;

/** Attacks a port of the service in rounds while a well-behaved client calls it. Prints the cost of the attacks. */
async function attackInRounds(
  server: MemoryLimitedServer,
  name: string,
  describeAttack: () => Attack,
  port = server.port,
): Promise<BystanderOutcome> {
  const outcome = await besideBystander(server.port, TEST_API_KEY, async () => {
    await delay(CALM_MS);
    for (let round = 0; round < ROUNDS; round++) await attack(port, describeAttack());
    await delay(CALM_MS);
  });
  const { calls, failures, medianMs, worstMs } = outcome;
  const memory = server.isRunning ? `peak ${Math.round(server.peakMebibytes)} MiB` : `ended by ${server.ending}`;
  const calling = `${failures.length} of ${calls} calls failed, half below ${Math.round(medianMs)} ms, worst ${Math.round(worstMs)} ms`;
  process.stdout.write(`${memory}, ${calling}: ${name}\n`);
  return outcome;
}

describe('the service serves others, and stays small, beside', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: MemoryLimitedServer;

  afterEach(() => server.stop());

  async function start(readsLog: boolean, variables: Record<string, string> = {}): Promise<void> {
    const environment = { ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY, ...variables };
    server = await MemoryLimitedServer.start(environment, readsLog);
  }

  function expectHarmless({ failures, worstMs }: BystanderOutcome, longestWaitMs = LONGEST_WAIT_MS): void {
    expect(server.isRunning).toBe(true);
    expect(server.peakMebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES);
    expect(failures).toEqual([]);
    expect(worstMs).toBeLessThanOrEqual(longestWaitMs);
  }

  test.each(Object.entries(ATTACKS_OF_STRANGERS))('%s', async (name, describeAttack) => {
    await start(true);
    expectHarmless(await attackInRounds(server, name, describeAttack), LONGEST_WAIT_FOR_STRANGERS_MS);
  });

  test.each(Object.entries(ATTACKS))('%s', async (name, describeAttack) => {
    await start(true);
    expectHarmless(await attackInRounds(server, name, describeAttack));
  });

  test.each(Object.entries(FLOODS))(
    'bodies of 100 kB, one after the other, on 60 connections: %s',
    async (name, flood) => {
      await start(true);
      expectHarmless(await attackInRounds(server, name, flood));
    },
  );

  test.each(Object.entries(METRICS_ATTACKS))('%s', async (name, describeAttack) => {
    const port = await freePort();
    await start(true, { METRICS_PORT: String(port) });
    expectHarmless(await attackInRounds(server, name, describeAttack, port));
  });

  describe('pages of 108 kB', () => {
    let paths: string[];

    beforeEach(async () => {
      await start(true);
      await withClient(database.url, (client) =>
        client.query(`insert into pets (name, category_id, status)
          select repeat(chr(128054), 255), n, 'available' from generate_series(1, 30000) as n`),
      );
      paths = await pathsOfPages();
    });

    afterEach(() => withClient(database.url, (client) => client.query('truncate pets')));

    /** A few thousand different pages, so that no two requests share a page in memory. */
    async function pathsOfPages(): Promise<string[]> {
      const found: string[] = [];
      for (let at: string | undefined = '/v1/pets?limit=100'; at !== undefined;) {
        for (let limit = 91; limit <= 100; limit++) found.push(at.replace('limit=100', `limit=${limit}`));
        at = nextPage(
          await fetch(`http://127.0.0.1:${server.port}${at}`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } }),
        );
      }
      return found;
    }

    test('that are read one after the other on 256 connections', async () => {
      expectHarmless(
        await attackInRounds(server, 'different pages of 108 kB, read one after the other', () => READ_PAGES(paths)),
      );
    });

    test('that are pipelined and not read', async () => {
      expectHarmless(
        await attackInRounds(server, 'different pages of 108 kB, pipelined and not read', () => UNREAD_PAGES(paths)),
      );
    });

    test('that are not read on 1,000 connections', async () => {
      expectHarmless(
        await attackInRounds(server, 'a page of 108 kB not read on 1,000 connections', () => UNREAD_PAGE_EACH(paths)),
      );
    });
  });

  test('24,000 requests with paths of 8 kB while nobody reads the log', async () => {
    await start(false);
    expectHarmless(await attackInRounds(server, 'paths of 8 kB while nobody reads the log', LONG_PATHS));
    expect(await server.signal('SIGTERM')).toBe(0);
  });
});

describe('a refusal of the parser', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: MemoryLimitedServer;

  beforeAll(async () => {
    server = await MemoryLimitedServer.start({ ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY });
  });

  afterAll(() => server.stop());

  test.each([
    ['nothing', 0],
    ['a body of 1 MB', 1_000_000],
  ])('is read each time, while 70 kB of header fields and %s behind them still arrive', async (_name, length) => {
    const answers: Record<string, number> = {};
    for (let round = 0; round < REFUSALS; round++) {
      const answer = await refusalWhileSending(server.port, length);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    expect(answers).toEqual({ headers_too_large: REFUSALS });
  });
});

/** Sends 70 kB of header fields in pieces, and a body. @returns the code of the Error body, or what the client saw instead */
async function refusalWhileSending(port: number, length: number): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  const received: Buffer[] = [];
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', ({ message }) => {
      resolve(message);
    });
    socket.on('end', () => {
      resolve('end');
    });
  });
  socket.write(`POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n`);
  for (let field = 0; field < 70; field++) {
    socket.write(`X-Long-${field}: ${'x'.repeat(1_000)}\r\n`);
    await nextTurn();
  }
  socket.write(`\r\n${'x'.repeat(length)}`);
  const ending = await closed;
  socket.destroy();
  return /"code":"(?<code>\w+)"/.exec(Buffer.concat(received).toString())?.groups?.['code'] ?? ending;
}
