import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { MemoryCgroup } from '../support/memory-cgroup.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { expectQuiet, expectTold } from './incident.js';
import { describeUnless } from '../support/describe-unless.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

/** The share of its memory that an instance uses before the incident, well below the alert. */
const NORMAL_SHARE = 0.8;
const BODIES = 60;
const MEBIBYTE = 1024 ** 2;
const DESCRIPTORS = 120;

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

  test('one pages that haproxy answers for a frozen instance', async () => {
    await expectTold(site, {
      title: 'an instance is stopped by SIGSTOP',
      fires: ['AnimalStoreBalancerErrors', 'AnimalStoreDown'],
      // What was in its kernel's queue is served late.
      alongside: ['AnimalStoreLatency'],
      cause: () => {
        site.signal(1, 'SIGSTOP');
        return Promise.resolve(async () => {
          site.signal(1, 'SIGCONT');
          await Promise.resolve();
        });
      },
    });
  });

  test('one tells that nobody reads the log of an instance, and one that another has no descriptor left', async () => {
    await site.restart(1, { nodeOptions: ['--import', `data:text/javascript,${limitDescriptors(DESCRIPTORS)}`] });
    await expectTold(
      site,
      {
        title: 'the pipe of the log is closed',
        fires: ['AnimalStoreLogLost'],
        cause: () => {
          site.closeLog(0);
          return Promise.resolve(() => site.replace(0));
        },
      },
      {
        title: 'clients keep more connections open than the process has descriptors',
        fires: ['AnimalStoreDescriptors'],
        alongside: [
          'AnimalStoreAvailability',
          'AnimalStoreBalancerErrors',
          'AnimalStoreDatabaseNotReady',
          'AnimalStoreDown',
        ],
        cause: () => {
          const { hostname, port } = new URL(site.urlOf(1));
          const idle: Socket[] = [];
          const add = () => {
            const socket = connect(Number(port), hostname).on('error', () => undefined);
            socket.resume().write('GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n');
            idle.push(socket);
          };
          for (let count = 0; count < DESCRIPTORS / 2; count += 1) add();
          // Slowly: one scrape at least meets an instance that can still answer it.
          const timer = setInterval(add, 1_000);
          return Promise.resolve(async () => {
            clearInterval(timer);
            for (const socket of idle) socket.destroy();
            await site.restart(1);
          });
        },
      },
    );
  });

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
          const over = new AbortController();
          for (let count = 0; count < BODIES; count += 1) keepSending(site.urlOf(1), over.signal);
          return Promise.resolve(async () => {
            over.abort();
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

/** A program for Node that limits the descriptors of its own process, to be run before the service. */
function limitDescriptors(count: number): string {
  return encodeURIComponent(`
    import { execFileSync } from 'node:child_process';
    execFileSync('prlimit', ['--pid', process.pid, '--nofile=${count}:${count}']);`);
}

/** Sends most of a body of one mebibyte, and nothing more; again when the server ends the request, which takes too long. */
function keepSending(url: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const sender = request(`${url}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_API_KEY}`,
      'content-type': 'application/json',
      'content-length': MEBIBYTE,
    },
    signal,
  });
  sender.on('error', () => undefined);
  sender.on('response', (answer) => answer.on('error', () => undefined).resume());
  sender.on('close', () => setTimeout(keepSending, 100, url, signal));
  sender.write(Buffer.alloc(MEBIBYTE * 0.5, ' '));
}
