import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { Load } from '../support/load.js';
import { freePort } from '../support/free-port.js';
import { Haproxy, WITHOUT_HAPROXY } from '../support/haproxy.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { storedPets } from '../support/sql.js';
import { printFigures } from '../support/figures.js';

const describeWithHaproxy = describeUnless(WITHOUT_HAPROXY && `Deploys are not tested: ${WITHOUT_HAPROXY}`);

const DEPLOYS = 20;
const CLIENTS = 64;

describeWithHaproxy('a deploy behind haproxy', () => {
  let database: ServerDatabase;
  let haproxy: Haproxy | undefined;
  let instance: BuiltProgram | undefined;

  beforeEach(async () => {
    database = await createMigratedDatabase();
  });

  afterEach(async () => {
    haproxy?.stop();
    await instance?.kill('SIGKILL');
    await database.remove();
  });

  async function start(port: number): Promise<BuiltProgram> {
    const server = new BuiltProgram('main', {
      NODE_ENV: 'production',
      PORT: String(port),
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      SHUTDOWN_DELAY_SECONDS: '2',
      ...database.environment,
    });
    const url = await server.listening();
    while ((await fetch(`${url}/health/ready`)).status !== 200) await delay(50);
    return server;
  }

  test(`fails no request of ${CLIENTS} clients in ${DEPLOYS} deploys, and loses no pet`, async () => {
    const places = [await freePort(), await freePort()];
    instance = await start(places[0]!);
    haproxy = await Haproxy.start(places);
    await haproxy.untilSees(['UP', 'DOWN']);

    const load = new Load(haproxy.url, CLIENTS, 10);
    const codes: unknown[] = [];
    for (let deploy = 1; deploy <= DEPLOYS; deploy++) {
      const next = await start(places[deploy % 2]!);
      await haproxy.untilSees(['UP', 'UP']);
      instance.signal('SIGTERM');
      codes.push(await instance.ended());
      instance = next;
    }
    await load.stop();
    const stored = await storedPets(database.url);

    console.log(`${DEPLOYS} deploys, ${load.outcomes.length} requests: ${load.summary()}`);
    expect(load.outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(load.acknowledged.filter(({ id, name }) => stored.get(id) !== name)).toEqual([]);
    expect(load.acknowledged.length).toBe(stored.size);
    expect(codes).toEqual(Array(DEPLOYS).fill(0));
    printFigures('A deploy fails no request and loses no pet', {
      deploys: DEPLOYS,
      requests: load.outcomes.length,
      failed: 0,
      acknowledged: stored.size,
      lost: 0,
    });
  }, 600_000);
});
