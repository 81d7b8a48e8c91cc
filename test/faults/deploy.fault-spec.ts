import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { Load } from '../support/load.js';
import { freePort } from '../support/free-port.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) =>
  existsSync(path),
);
const describeWithHaproxy = HAPROXY === undefined ? describe.skip : describe;
if (HAPROXY === undefined)
  console.warn('haproxy is not installed: so deploys are not tested. On Debian: apt-get install haproxy');

const DEPLOYS = 20;
const CLIENTS = 64;
const CHECK_MS = 200;

/** Waits until haproxy has found the places in these states. */
async function untilHaproxySees(statsPort: number, states: readonly string[]): Promise<void> {
  for (;;) {
    await delay(CHECK_MS);
    const lines = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
      (answer) => answer.text(),
      () => '',
    );
    const seen = lines
      .split('\n')
      .filter((line) => line.startsWith('animal_store,place'))
      .map((line) => line.split(',')[17]);
    if (seen.join() === states.join()) return;
  }
}

/** Two places for an instance behind a balancer, which asks each whether it is ready. */
function configuration(port: number, statsPort: number, places: readonly number[]): string {
  return `
global
  maxconn 1000
defaults
  mode http
  option redispatch
  timeout connect 1s
  timeout client 60s
  timeout http-keep-alive 60s
  timeout server 30s
  timeout check 2s
frontend clients
  bind 127.0.0.1:${port}
  default_backend animal_store
backend animal_store
  option httpchk GET /health/ready
  default-server check inter ${CHECK_MS}ms fall 2 rise 1
${places.map((place, index) => `  server place${index} 127.0.0.1:${place}`).join('\n')}
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;
}

describeWithHaproxy('a deploy behind haproxy', () => {
  let database: ServerDatabase;
  let folder: string;
  let haproxy: ChildProcess | undefined;
  let instance: BuiltProgram | undefined;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  });

  afterEach(async () => {
    haproxy?.kill('SIGKILL');
    await instance?.kill('SIGKILL');
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
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

  test(`fails no request of ${CLIENTS} clients in ${DEPLOYS} deploys, and loses no animal`, async () => {
    const places = [await freePort(), await freePort()];
    const [port, statsPort] = [await freePort(), await freePort()];
    instance = await start(places[0]!);
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration(port, statsPort, places));
    haproxy = spawn(HAPROXY!, ['-db', '-f', file], { stdio: 'ignore' });
    await once(haproxy, 'spawn');
    await untilHaproxySees(statsPort, ['UP', 'DOWN']);

    const load = new Load(`http://127.0.0.1:${port}`, CLIENTS, 10);
    const codes: unknown[] = [];
    for (let deploy = 1; deploy <= DEPLOYS; deploy++) {
      const next = await start(places[deploy % 2]!);
      await untilHaproxySees(statsPort, ['UP', 'UP']);
      instance.signal('SIGTERM');
      codes.push(await instance.ended());
      instance = next;
    }
    await load.stop();
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ id: string; name: string }>('select id, name from pets'),
    );
    const stored = new Map(rows.map(({ id, name }) => [Number(id), name]));

    console.log(`${DEPLOYS} deploys, ${load.outcomes.length} requests: ${load.summary()}`);
    expect(load.outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(load.acknowledged.filter(({ id, name }) => stored.get(id) !== name)).toEqual([]);
    expect(load.acknowledged.length).toBe(stored.size);
    expect(codes).toEqual(Array(DEPLOYS).fill(0));
  }, 600_000);
});
