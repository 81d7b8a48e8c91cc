import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { MemoryCgroup } from '../support/memory-cgroup.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';
import { expectQuiet, expectTold } from './incident.js';
import { describeUnless } from '../support/describe-unless.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

/** The share of its memory that an instance uses before the incident, well below the alert. */
const NORMAL_SHARE = 0.8;
const BODIES = 60;
const MEBIBYTE = 1024 ** 2;

const describeWithGroup = describeUnless(
  MemoryCgroup.isPossible ? undefined : 'Alerts: memory is not tested: this user may not make a cgroup. Run it as root',
);

describeWithPrometheus('of the instances', () => {
  let database: ServerDatabase;
  let site: MonitoredSite;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    ends.push(() => database.remove());
    site = await MonitoredSite.start(database);
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('one tells that an instance is gone', async () => {
    await expectTold(site, {
      title: 'an instance is killed',
      fires: ['AnimalStoreDown'],
      cause: async () => {
        await site.kill(0);
        return () => site.startInstance(0);
      },
    });
  });

  test('three planned starts in a row are no incident', async () => {
    await site.forget();
    await expectQuiet(site, 120, async () => {
      for (let time = 0; time < 3; time++) {
        await site.replace(0);
        await delay(20_000);
      }
    });
  });

  test('one tells that an instance ends again and again', async () => {
    await expectTold(site, {
      title: 'an instance ends five times',
      fires: ['AnimalStoreRestarts'],
      // This alert may fire if a start takes long.
      alongside: ['AnimalStoreDown'],
      cause: async () => {
        for (let time = 0; time < 5; time++) {
          await site.restart(0);
          // The wait is long enough for Prometheus to see each start.
          await delay(16_000);
        }
        return () => Promise.resolve();
      },
    });
  });

  test('one tells that an event loop is late', async () => {
    await expectTold(site, {
      title: 'a process gets too little of the processor',
      fires: ['AnimalStoreEventLoopLag'],
      alongside: ['AnimalStoreLatency'],
      cause: () => {
        const over = new AbortController();
        const pauses = (async () => {
          while (!over.signal.aborted) {
            site.signal(1, 'SIGSTOP');
            await delay(400);
            site.signal(1, 'SIGCONT');
            await delay(200);
          }
        })();
        return Promise.resolve(async () => {
          over.abort();
          await pauses;
        });
      },
    });
  });

  test('one tells that nobody reads the log of an instance', async () => {
    await expectTold(site, {
      title: 'the pipe of the log is closed',
      fires: ['AnimalStoreLogLost'],
      cause: () => {
        site.closeLog(0);
        return Promise.resolve(() => site.replace(0));
      },
    });
  });

  test('one tells that nobody serves, although the balancer answers', async () => {
    const allow = (isAllowed: boolean) =>
      withClient(process.env['TEST_SERVER_URL']!, (client) =>
        client.query(`alter database "${new URL(database.url).pathname.slice(1)}" allow_connections ${isAllowed}`),
      );
    await expectTold(site, {
      title: 'no instance reaches its database',
      fires: ['AnimalStoreOutage', 'AnimalStoreDatabaseNotReady'],
      alongside: ['AnimalStoreAvailability'],
      cause: async () => {
        await allow(false);
        await endSessions();
        await delay(5_000);
        expect((await fetch(`${site.url}/v1/pets`)).headers.get('content-type')).not.toContain('json');
        return async () => {
          await allow(true);
        };
      },
    });
  });

  function endSessions(): Promise<unknown> {
    return withClient(process.env['TEST_SERVER_URL']!, (client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        new URL(database.url).pathname.slice(1),
      ]),
    );
  }

  test('one tells that no instance is there any more', async () => {
    await expectTold(site, {
      title: 'both instances are killed',
      fires: ['AnimalStoreOutage', 'AnimalStoreDown'],
      cause: async () => {
        await Promise.all([site.kill(0), site.kill(1)]);
        return async () => {
          await Promise.all([site.startInstance(0), site.startInstance(1)]);
        };
      },
    });
  });

  test('that one also tells that Prometheus knows no instance any more', async () => {
    await expectTold(site, {
      title: 'the targets vanish from service discovery',
      fires: ['AnimalStoreOutage'],
      cause: () => {
        site.discover(false);
        return Promise.resolve(() => {
          site.discover(true);
          return Promise.resolve();
        });
      },
    });
  });

  describeWithGroup('with bounded memory', () => {
    test('one tells that the memory of an instance is nearly used up', async () => {
      const resident = await residentMemory();
      const mebibytes = Math.ceil(resident / NORMAL_SHARE / MEBIBYTE);
      const group = MemoryCgroup.create(`animal-store-alerts-${process.pid}`, mebibytes)!;
      await site.restart(1, { nodeOptions: group.nodeOptions, environment: { BODY_LIMIT: '2m' } });
      await expectTold(site, {
        title: 'an instance gets bodies that do not end',
        fires: ['AnimalStoreMemory'],
        cause: () => {
          const senders = Array.from({ length: BODIES }, () => unfinishedBody(site.urlOf(1)));
          return Promise.resolve(async () => {
            for (const sender of senders) sender.destroy();
            // This start has more memory.
            await site.restart(1);
            group.remove();
          });
        },
      });
    });
  });

  async function residentMemory(): Promise<number> {
    const [sample] = await site.prometheus.query('max(process_resident_memory_bytes)');
    return sample!.value;
  }
});

/** A request that sends most of a body of one mebibyte, and then nothing more. */
function unfinishedBody(url: string) {
  const sender = request(`${url}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_API_KEY}`,
      'content-type': 'application/json',
      'content-length': MEBIBYTE,
    },
  });
  sender.on('error', () => undefined);
  sender.on('response', (answer) => answer.resume());
  sender.write(Buffer.alloc(MEBIBYTE * 0.5, ' '));
  return sender;
}
