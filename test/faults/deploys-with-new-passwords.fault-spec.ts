import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { describeUnless } from '../support/describe-unless.js';
import { documentedBlock } from './documented-commands.js';
import { printFigures } from '../support/print-figures.js';
import { Fleet } from '../support/fleet.js';
import { WITHOUT_HAPROXY } from '../support/haproxy.js';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { startLocalServer, type LocalPostgresServer } from '../support/postgres-server.js';
import { withClient } from '../support/database-client.js';
import { WatchfulClients, worstOf } from '../support/watchful-clients.js';

/** In each rotation both instances are replaced. */
const ROTATIONS = 10;
const CLIENTS = 64;

/** The test is the superuser without a password. All others need theirs. */
const RULES = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n';

const describeWithHaproxy = describeUnless(WITHOUT_HAPROXY && `Deploys are not tested: ${WITHOUT_HAPROXY}`);

describeWithHaproxy('deploys behind haproxy, each with a new password of the database', () => {
  let server: LocalPostgresServer;

  beforeAll(async () => {
    server = await startLocalServer();
    const [row] = (await execute(`select current_setting('data_directory') as folder`)) as [{ folder: string }];
    writeFileSync(join(row.folder, 'pg_hba.conf'), RULES);
    await execute('select pg_reload_conf()');
  });

  afterAll(() => server.stop());

  /** Executes statements as the superuser. @returns the rows of the last one */
  async function execute(script: string): Promise<unknown[]> {
    return await withClient(server.url, async (client) => {
      let rows: unknown[] = [];
      for (const statement of script.split(';\n')) ({ rows } = await client.query(statement));
      return rows;
    });
  }

  function urlOf(user: string, password = ''): string {
    const url = new URL(server.url);
    Object.assign(url, { username: user, password, pathname: '/animal_store' });
    return url.toString();
  }

  async function untilNoSessionOf(role: string): Promise<void> {
    while ((await execute(`select pid from pg_stat_activity where usename = '${role}'`)).length > 0) await delay(50);
  }

  test(`fail no request of ${CLIENTS} clients in ${ROTATIONS} rotations, and lose no pet`, async () => {
    await execute(documentedBlock('create role animal_store'));
    const login = documentedBlock('-- before the instances are replaced');
    const end = documentedBlock('-- when no session of the other role is left');
    let url = urlOf('animal_store', 'choose another one');
    await migrateServer(url);
    await execute(documentedBlock('-- two roles that act as the owner'));
    const fleet = await Fleet.start({ environment: {}, environmentOf: () => ({ DATABASE_URL: url }) });
    const ledger = new Ledger();
    const target: Fleet['target'] = (choose) => fleet.target(choose);
    const clients = new WatchfulClients({ target, clients: CLIENTS, pauseMs: 0 }, ledger);
    const codes: unknown[] = [];
    let current = 'animal_store';
    try {
      for (let rotation = 0; rotation < ROTATIONS; rotation++) {
        const next = current === 'service_a' ? 'service_b' : 'service_a';
        const password = `number ${rotation}`;
        await execute(login.replace('service_b', next).replace('a new one', password));
        url = urlOf(next, password);
        for (const place of fleet.serving) codes.push(await fleet.deploy(fleet.serving.indexOf(place)));
        await untilNoSessionOf(current);
        await execute(end.replace('service_a', current));
        current = next;
      }
      await delay(2_000);
    } finally {
      await clients.stop();
      await fleet.stop();
    }
    printFigures(`${ROTATIONS} rotations of the password with ${codes.length} deploys`, {
      requests: clients.successes.length,
      failed: clients.failed.length,
      acknowledged: ledger.count('acknowledged'),
    });
    expect(worstOf(clients.failed)).toEqual([]);
    expect(ledger.compare(await readStoredPets(urlOf('postgres')))).toEqual([]);
    expect(codes).toEqual(Array.from({ length: 2 * ROTATIONS }, () => 0));
    expect(clients.successes.length).toBeGreaterThan(1_000);
    await expect(readStoredPets(urlOf('service_a', `number ${ROTATIONS - 2}`))).rejects.toThrow();
    await migrateServer(url);
  }, 900_000);
});
