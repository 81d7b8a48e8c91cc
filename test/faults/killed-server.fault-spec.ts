import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase } from '../support/databases.js';
import { printFigures } from '../support/print-figures.js';
import { freePort } from '../support/free-port.js';
import { Ledger } from '../support/ledger.js';
import { allPets } from '../support/page-links.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';
import { countOf, WatchfulClients, worstOf } from '../support/watchful-clients.js';

const KILLS = 5;
const CLIENTS = 32;

/** How many pets are acknowledged before each kill. */
const ADDITIONS = 300;

test('kill -9 amid additions loses no acknowledged pet, and doubles none that is sent again under its key', async () => {
  const database = await createMigratedDatabase();
  const port = await freePort();
  const start = async () => {
    const program = new BuiltProgram('main', {
      ...database.environment,
      PORT: String(port),
      BOOTSTRAP_API_KEY: TEST_API_KEY,
    });
    await program.listening();
    return program;
  };
  const url = `http://127.0.0.1:${port}`;
  let server = await start();
  let slowestStartMs = 0;
  const ledger = new Ledger();
  const clients = new WatchfulClients({ target: () => url, clients: CLIENTS, pauseMs: 0 }, ledger);
  for (let kill = 1; kill <= KILLS; kill++) {
    while (ledger.count('acknowledged') < kill * ADDITIONS) await delay(20);
    const killedAt = performance.now();
    await server.kill('SIGKILL');
    server = await start();
    slowestStartMs = Math.max(slowestStartMs, performance.now() - killedAt);
  }
  await clients.stop();
  const stored = await allPets<{ id: number; name: string; status: string }>(clientOf(url));
  await server.kill('SIGKILL');
  await database.remove();

  printFigures(`${KILLS} kills of the server`, {
    acknowledged: ledger.count('acknowledged'),
    stored: stored.length,
    'sent again under their keys': clients.counts.repeated,
    'replayed when sent once more': clients.counts.replayed,
    failed: countOf(clients.failed),
    'seconds from a kill until a new process listened, at most': (slowestStartMs / 1000).toFixed(1),
  });
  expect(worstOf(clients.wrong)).toEqual([]);
  expect(ledger.compare(stored.map((pet) => ({ ...pet, id: String(pet.id) })))).toEqual([]);
  expect(clients.counts.repeated).toBeGreaterThan(0);
}, 600_000);
