import { expectQuiet, expectTold } from './incident.js';
import { NAME, OwnedDatabase } from './owned-database.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

describeWithPrometheus('of the database', () => {
  let database: OwnedDatabase;
  let site: MonitoredSite;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    database = await OwnedDatabase.start();
    ends.push(() => database.server.stop());
    await database.offerTls();
    site = await MonitoredSite.start({ environment: { DATABASE_URL: `${database.url(NAME)}?sslmode=require` } });
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('one pages that nobody is served, and one tells that the database is not available', () =>
    expectTold(site, {
      title: 'the database is stopped',
      fires: ['AnimalStoreDatabaseNotReady', 'AnimalStoreOutage'],
      alongside: ['AnimalStoreAvailability'],
      cause: async () => {
        await database.server.halt();
        return () => database.server.resume();
      },
    }));

  test('one tells that PostgreSQL refuses connections', () =>
    expectTold(site, {
      title: 'the role may open one connection',
      fires: ['AnimalStoreDatabaseErrors'],
      alongside: [
        'AnimalStoreAvailability',
        'AnimalStoreRequestsWait',
        'AnimalStoreDatabaseNotReady',
        'AnimalStoreOutage',
      ],
      cause: async () => {
        await database.execute(`alter role ${NAME} connection limit 1`);
        await database.endSessions();
        return async () => {
          await database.execute(`alter role ${NAME} connection limit -1`);
        };
      },
    }));
});
