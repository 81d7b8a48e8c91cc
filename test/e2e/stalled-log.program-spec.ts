import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { Scrape } from '../support/scraped-metrics.js';

const REQUESTS = 5_000;
const AT_ONCE = 50;

describe.each(['production', 'development'])('a server whose log nobody reads any more, in %s', (NODE_ENV) => {
  const database = useDatabase(createMigratedDatabase);
  let server: BuiltProgram;

  async function start(variables: Record<string, string>): Promise<string> {
    server = new BuiltProgram('main', {
      NODE_ENV,
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_SECONDS: '3',
      ...variables,
      ...database.environment,
    });
    return await server.listening();
  }

  afterEach(async () => {
    server.readOn();
    await server.kill('SIGKILL');
  });

  test('serves on when its output is closed, and ends at SIGTERM', async () => {
    const url = await start({});
    server.closeOutput();
    const statuses = new Set<number>();
    for (let sent = 0; sent < 20; sent += 1) statuses.add((await fetch(`${url}/health/live`)).status);
    server.signal('SIGTERM');
    expect([await server.exitCode(), [...statuses]]).toEqual([0, [200]]);
  });

  test('serves on when nobody empties its pipe, keeps a bounded part of the log, and counts what is lost', async () => {
    const metricsPort = await freePort();
    const url = await start({ METRICS_PORT: String(metricsPort) });
    await delay(300);
    server.stopReading();
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      // Each writes a line of more than a kilobyte.
      const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(`${url}/${'a'.repeat(1_000)}`)));
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    }
    const scrape = await Scrape.at(`http://127.0.0.1:${metricsPort}/metrics`);
    const lost = scrape.value('animal_store_log_lines_lost_total') ?? 0;
    const before = server.standardOutput.length;
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
    server.readOn();
    const linesRead = () => server.standardOutput.split('\n').filter((line) => line.includes('/aaa')).length;
    expect(lost).toBeGreaterThan(0);
    expect(linesRead() + lost).toBeLessThanOrEqual(REQUESTS);
    // The rest of the output was held by the pipe, by this process and by the buffer of the log.
    expect(server.standardOutput.length - before).toBeLessThan(2 * 1024 ** 2);
  });
});
