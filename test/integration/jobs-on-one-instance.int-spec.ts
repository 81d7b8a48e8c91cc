import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Jobs } from '@animal-store/persistence';
import { Pet } from '@animal-store/pets-domain';
import { createMigratedDatabase } from '../support/databases.js';
import { useService, useTwoServices } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

/** Work that is in progress until it is ended. */
function openWork() {
  const begun = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<undefined>();
  const work = async (signal: AbortSignal) => {
    begun.resolve(signal);
    await end.promise;
  };
  return {
    work,
    begun: begun.promise,
    end: () => {
      end.resolve(undefined);
    },
  };
}

const nothing = () => Promise.resolve();

describe('work on one instance of two', () => {
  const services = useTwoServices(createMigratedDatabase);
  let first: Jobs;
  let second: Jobs;

  beforeAll(() => {
    [first, second] = services.map((service) => service.get(Jobs, { strict: false })) as [Jobs, Jobs];
  });

  test('does not begin while work of its name is in progress, and begins afterwards', async () => {
    const { work, begun, end } = openWork();
    const running = first.onOneInstance('orders.close', work);
    await begun;
    expect(await Promise.all([first, second].map((jobs) => jobs.onOneInstance('orders.close', nothing)))).toEqual([
      false,
      false,
    ]);
    expect(await second.onOneInstance('orders.open', nothing)).toBe(true);
    end();
    expect(await running).toBe(true);
    expect(await second.onOneInstance('orders.close', nothing)).toBe(true);
  });

  test('holds no snapshot and has no time limit', async () => {
    const { work, begun, end } = openWork();
    const running = first.onOneInstance('orders.close', work);
    await begun;
    await delay(20);
    const { rows } = await withClient(services[0].database.url, (client) =>
      client.query(`
        select state, backend_xmin, query like '%idle_in_transaction_session_timeout%' as unlimited
        from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`),
    );
    end();
    await running;
    expect(rows).toEqual([{ state: 'idle in transaction', backend_xmin: null, unlimited: true }]);
  });

  test('is told when its lock was lost', async () => {
    const { work, begun, end } = openWork();
    const running = first.onOneInstance('orders.close', work);
    const signal = await begun;
    await withClient(services[0].database.url, (client) =>
      client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`),
    );
    while (!signal.aborted) await delay(5);
    end();
    await running;
    expect(await second.onOneInstance('orders.close', nothing)).toBe(true);
  });
});

describe('work on one instance', () => {
  const service = useService(createMigratedDatabase);

  test('has an entity manager of its own, as a request has', async () => {
    const found: unknown[] = [];
    await service.get(Jobs, { strict: false }).onOneInstance('orders.count', async () => {
      found.push(await service.get(EntityManager, { strict: false }).count(Pet));
    });
    expect(found).toEqual([0]);
  });

  test('runs, and is told when the service stops', async () => {
    const jobs = service.get(Jobs, { strict: false });
    expect(await jobs.onOneInstance('orders.close', nothing)).toBe(true);
    const { work, begun, end } = openWork();
    const running = jobs.onOneInstance('orders.close', work);
    const signal = await begun;
    expect(await jobs.onOneInstance('orders.close', nothing)).toBe(false);
    const stopped = jobs.onModuleDestroy();
    expect(signal.aborted).toBe(true);
    end();
    await Promise.all([running, stopped]);
    expect(await jobs.onOneInstance('orders.close', nothing)).toBe(false);
  });
});
