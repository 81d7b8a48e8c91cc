import type { BuiltProgram } from '../support/built-server.js';
import '../support/one-realm.js';
import { BLOWS } from '../support/patroni-blows.js';
import {
  describeOnPatroni,
  describeTrial,
  expectNothingLost,
  figuresOf,
  LONG_MS,
  startService,
  TRIAL,
  tryOnCluster,
} from '../support/patroni-trial.js';
import { PatroniCluster } from '../support/patroni.js';
import { printFigures } from '../support/figures.js';
import { withClient } from '../support/sql.js';

describeOnPatroni('two services that read from all servers under Patroni', () => {
  let cluster: PatroniCluster;
  let services: Record<string, { program: BuiltProgram; url: string }>;

  beforeEach(async () => {
    cluster = await PatroniCluster.start({
      synchronous: 'strict',
      synchronousNodes: 2,
      synchronousCommit: 'remote_apply',
    });
    const environment = { DATABASE_URL: cluster.url, DATABASE_REPLICA_URLS: cluster.nodeUrls.join(',') };
    services = { one: await startService(environment), other: await startService(environment) };
  }, LONG_MS);

  afterEach(async () => {
    for (const { program } of Object.values(services)) await program.kill('SIGKILL');
    await cluster.remove();
  });

  /** The number of reads of the table of pets on the current standbys since their start. */
  async function readsOnStandbys(): Promise<number> {
    const primary = await cluster.untilSettled();
    const counts = cluster.nodes
      .filter((node) => node !== primary)
      .map((node) =>
        withClient(cluster.directUrl(node), async (client) => {
          const { rows } = await client.query<{ count: string }>(
            "select seq_scan + coalesce(idx_scan, 0) as count from pg_stat_user_tables where relname = 'pets'",
          );
          return Number(rows[0]?.count);
        }),
      );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  test.each(Object.entries(BLOWS))(
    'lose and double nothing, show nothing stale and take additions again in time: %s',
    async (name, blow) => {
      const urls = Object.fromEntries(Object.entries(services).map(([service, { url }]) => [service, url]));
      const result = await tryOnCluster(cluster, urls, blow, TRIAL);
      const reads = await readsOnStandbys();
      console.log(`${describeTrial(name, result)}\n  reads on the last standbys: ${reads}`);
      expectNothingLost(result);
      expect(reads).toBeGreaterThan(100);
      for (const url of Object.values(urls)) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      printFigures('With reads from replicas that change roles a failover loses nothing and shows nothing stale', {
        ...figuresOf(result),
        'reads on the last standbys': reads,
      });
    },
    LONG_MS,
  );
});
