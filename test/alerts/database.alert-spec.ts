import { setTimeout as delay } from 'node:timers/promises';
import { TEST_API_KEY } from '../support/running-app.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { expectQuiet, expectTold } from './incident.js';
import { NAME, OwnedDatabase } from './owned-database.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

const SMALL_DISK_MEBIBYTES = 64;

const trial = mountSmallDisk(1);
trial?.remove();
const describeWithDisk = trial === undefined ? describe.skip : describe;
if (trial === undefined)
  console.warn('Alerts: a full disk is not tested: a small one cannot be mounted. On Linux: run it as root');

describeWithPrometheus('of the database', () => {
  let disk: SmallDisk | undefined;
  let database: OwnedDatabase;
  let site: MonitoredSite;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    disk = mountSmallDisk(SMALL_DISK_MEBIBYTES);
    ends.push(() => disk?.remove());
    database = await OwnedDatabase.start(disk);
    ends.push(() => database.server.stop());
    await database.renewCertificate(90);
    site = await MonitoredSite.start({ environment: { DATABASE_URL: `${database.url(NAME)}?sslmode=require` } });
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('one tells that the pool is exhausted', () =>
    expectTold(site, {
      title: 'an instance has a pool of one, and pets are locked',
      fires: ['AnimalStorePoolExhausted'],
      alongside: [
        'AnimalStoreAvailability',
        'AnimalStoreLatency',
        'AnimalStoreRequestsWait',
        'AnimalStoreDatabaseErrors',
        'AnimalStoreDown',
      ],
      cause: async () => {
        await site.restart(0, { environment: { DATABASE_POOL_SIZE: '1' } });
        const unlock = await database.lockPets();
        return async () => {
          await unlock();
          await site.restart(0);
        };
      },
    }));

  test('one tells that the database is away', () =>
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
        'AnimalStoreLatency',
        'AnimalStoreRequestsWait',
        'AnimalStorePoolExhausted',
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

  test('one tells that the certificate of the database ends within days', () =>
    expectTold(site, {
      title: 'the database gets a certificate for five days',
      fires: ['AnimalStoreCertificate'],
      alongside: ['AnimalStoreAvailability'],
      cause: async () => {
        await database.renewCertificate(5);
        return () => database.renewCertificate(90);
      },
    }));

  /** Fills the disk to the last page. */
  async function fillDisk(): Promise<void> {
    for (const bytes of [1_000_000, 100_000, 7_000]) {
      const insert = `insert into filler select repeat('x', ${bytes}) from generate_series(1, 1)`;
      for (;;) {
        const outcome = await database.execute(insert).catch((error: unknown) => error as { code?: string });
        if ((outcome as { code?: string }).code === '53100') break;
      }
    }
  }

  async function addPet(): Promise<number> {
    const response = await fetch(`${site.url}/v1/pets`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(255), categoryId: 7 }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  describeWithDisk('with a small disk', () => {
    test('one tells that the disk is full, while reads work', () =>
      expectTold(site, {
        title: 'the disk of the tables is full',
        fires: ['AnimalStoreDatabaseErrors'],
        alongside: ['AnimalStoreAvailability'],
        cause: async () => {
          await database.execute(
            'create table filler (bytes text); alter table filler alter bytes set storage external',
          );
          await fillDisk();
          // The last page of the table may still have space for a few pets.
          while ((await addPet()) !== 503) await delay(20);
          expect((await fetch(`${site.url}/v1/pets`, { headers: AUTHORIZED })).status).toBe(200);
          return async () => {
            await database.execute('drop table filler');
            expect(await addPet()).toBe(201);
          };
        },
      }));
  });
});

const AUTHORIZED = { authorization: `Bearer ${TEST_API_KEY}` };
