import type { BuiltProgram } from '../../support/built-program.js';
import { printFigures } from '../../support/print-figures.js';
import '../../support/cross-realm-errors.js';
import type { PatroniSettings } from './patroni-configuration.js';
import {
  BLOWS,
  describeOnPatroni,
  expectNothingLost,
  figuresOf,
  LONG_MS,
  startService,
  tryOnCluster,
} from './patroni-trial.js';
import { PatroniCluster } from './patroni.js';
import { withClient } from '../../support/database-client.js';

const ROUNDS = 5;

describeOnPatroni('three servers under Patroni behind haproxy', () => {
  let cluster: PatroniCluster;
  let services: { program: BuiltProgram; url: string }[] = [];

  /** @param replicas whether two services read from every server, and not one from the primary alone */
  async function start(settings: PatroniSettings, replicas: boolean): Promise<void> {
    cluster = await PatroniCluster.start(settings);
    const environment = {
      DATABASE_URL: cluster.url,
      ...(replicas && { DATABASE_REPLICA_URLS: cluster.nodeUrls.join(',') }),
    };
    services = [];
    for (let number = 0; number < (replicas ? 2 : 1); number++) services.push(await startService(environment));
  }

  afterEach(async () => {
    for (const { program } of services) await program.kill('SIGKILL');
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

  async function expectReady(): Promise<void> {
    for (const { url } of services) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  }

  const urls = () => services.map(({ url }) => url);

  test.each(Object.entries(BLOWS))(
    'synchronous, lose and double nothing, show nothing stale and take additions without the old primary: %s',
    async (name, blow) => {
      await start({ synchronous: 'strict', synchronousNodes: 1, synchronousCommit: 'on' }, false);
      const result = await tryOnCluster(cluster, urls(), blow, ROUNDS);
      printFigures(`Changes of the primary: ${name}`, figuresOf(result));
      expectNothingLost(result);
      await expectReady();
    },
    LONG_MS,
  );

  test.each(Object.entries(BLOWS))(
    'synchronous, with two services that read from all of them, do so too: %s',
    async (name, blow) => {
      await start({ synchronous: 'strict', synchronousNodes: 2, synchronousCommit: 'remote_apply' }, true);
      const result = await tryOnCluster(cluster, urls(), blow, ROUNDS);
      const reads = await readsOnStandbys();
      printFigures(`Changes of the primary, with reads from the replicas: ${name}`, {
        ...figuresOf(result),
        'reads on the last standbys': reads,
      });
      expectNothingLost(result);
      expect(reads).toBeGreaterThan(100);
      await expectReady();
    },
    LONG_MS,
  );

  test(
    'asynchronous, lose what was acknowledged by a primary that is cut off while the service reaches it',
    async () => {
      await start({ synchronous: 'off', synchronousNodes: 1, synchronousCommit: 'on' }, false);
      // Until the primary steps down, it acknowledges changes that no other server receives.
      const [, cut] = Object.entries(BLOWS).find(([name]) => name.startsWith('cut off'))!;
      const result = await tryOnCluster(cluster, urls(), cut, 1);
      printFigures('The primary is cut off, with asynchronous replication', figuresOf(result));
      expect(result.lies.filter((lie) => lie.endsWith('is lost')).length).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
