import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { printFigures } from '../support/figures.js';
import { Fleet } from '../support/fleet.js';
import { WITHOUT_HAPROXY } from '../support/haproxy.js';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { WatchfulClients, worstOf } from '../support/watchful-clients.js';

const DEPLOYS = 20;
const CLIENTS = 64;

const describeWithHaproxy = describeUnless(WITHOUT_HAPROXY && `Deploys are not tested: ${WITHOUT_HAPROXY}`);

describeWithHaproxy('a deploy behind haproxy', () => {
  const database = useDatabase(createMigratedDatabase);

  test(`fails no request of ${CLIENTS} clients in ${DEPLOYS} deploys, and loses no pet`, async () => {
    const fleet = await Fleet.start({ environment: database.environment });
    const ledger = new Ledger();
    const target: Fleet['target'] = (choose) => fleet.target(choose);
    const clients = new WatchfulClients({ target, clients: CLIENTS, pauseMs: 0 }, ledger);
    const codes: unknown[] = [];
    try {
      for (let deploy = 0; deploy < DEPLOYS; deploy++) codes.push(await fleet.deploy(deploy % 2));
    } finally {
      await clients.stop();
      await fleet.stop();
    }
    printFigures(`${DEPLOYS} deploys`, {
      requests: clients.successes.length,
      failed: clients.failed.length,
      acknowledged: ledger.count('acknowledged'),
    });
    expect(worstOf(clients.failed)).toEqual([]);
    expect(ledger.compare(await readStoredPets(database.url))).toEqual([]);
    expect(codes).toEqual(codes.map(() => 0));
    expect(clients.successes.length).toBeGreaterThan(1_000);
  }, 600_000);
});
