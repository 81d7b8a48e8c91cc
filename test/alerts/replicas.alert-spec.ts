import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryCgroup } from '../support/memory-cgroup.js';
import { startReplication, type Replication } from '../support/replication.js';
import { expectQuiet, expectTold } from './incident.js';
import type { Sample } from './prometheus.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

const DASHBOARD = join(import.meta.dirname, '../../deploy/grafana/animal-store.json');
const MEMORY_MEBIBYTES = 512;

const describeWithGroup = MemoryCgroup.isPossible ? describe : describe.skip;

describeWithPrometheus('of the replicas', () => {
  let replication: Replication;
  let site: MonitoredSite;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    replication = await startReplication();
    ends.push(() => replication.remove());
    const group = MemoryCgroup.create(`animal-store-alerts-${process.pid}`, MEMORY_MEBIBYTES);
    ends.push(() => group?.remove());
    site = await MonitoredSite.start({
      environment: {
        DATABASE_URL: replication.primary.url,
        DATABASE_REPLICA_URLS: replication.standbys.map(({ url }) => url).join(','),
      },
      ...(group !== undefined && { nodeOptions: group.nodeOptions }),
    });
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('one tells that a replica is lost', () =>
    expectTold(site, {
      title: 'a standby is stopped at once',
      fires: ['AnimalStoreReplica'],
      cause: async () => {
        const [standby] = replication.standbys;
        await standby.stop('SIGQUIT');
        return () => standby.start();
      },
    }));

  test('one tells that a replica lags behind', () =>
    expectTold(site, {
      title: 'a standby stops replaying what it gets',
      fires: ['AnimalStoreReplica'],
      cause: async () => {
        const [, standby] = replication.standbys;
        await standby.execute('select pg_wal_replay_pause()');
        return () => standby.execute('select pg_wal_replay_resume()');
      },
    }));

  test('one tells that the primary is read only', () =>
    expectTold(site, {
      title: 'the primary takes no more additions',
      fires: ['AnimalStoreDatabaseErrors'],
      alongside: ['AnimalStoreAvailability'],
      cause: async () => {
        await setReadOnly('on');
        return () => setReadOnly('off');
      },
    }));

  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await replication.primary.execute(`alter system set default_transaction_read_only = ${value}`);
    await replication.primary.execute('select pg_reload_conf()');
  }

  describe('the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };

    const targets = panels.flatMap(({ title, targets: of }) => of.map(({ expr }) => ({ title, expr })));
    const OF_GROUPS = 'animal_store_memory_limit_bytes';

    async function samplesOf(expression: string): Promise<Sample[]> {
      const samples = await site.prometheus.query(asGrafanaAsks(expression));
      return samples.filter(({ value }) => !Number.isNaN(value));
    }

    test.each(targets.filter(({ expr }) => !expr.includes(OF_GROUPS)))(
      'gets data for $title, by $expr',
      async ({ expr }) => {
        expect(await samplesOf(expr)).not.toEqual([]);
      },
    );

    describeWithGroup('with bounded memory', () => {
      test.each(targets.filter(({ expr }) => expr.includes(OF_GROUPS)))(
        'gets data for $title, by $expr',
        async ({ expr }) => {
          expect(await samplesOf(expr)).not.toEqual([]);
        },
      );
    });
  });
});

/** Sets the variables of the dashboard as Grafana does for all jobs and instances. */
function asGrafanaAsks(expression: string): string {
  return expression.replaceAll(/\$(?:job|instance)\b/g, '.+').replaceAll('$__rate_interval', '1m');
}
