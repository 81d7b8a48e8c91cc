import type { BuiltProgram } from '../../support/built-program.js';
import { printFigures } from '../../support/print-figures.js';
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

const ROUNDS = 5;

describeOnPatroni('three servers under Patroni behind haproxy', () => {
  let cluster: PatroniCluster;
  let services: { program: BuiltProgram; url: string }[] = [];

  async function start(settings: PatroniSettings): Promise<void> {
    cluster = await PatroniCluster.start(settings);
    services = [await startService({ DATABASE_URL: cluster.url })];
  }

  afterEach(async () => {
    for (const { program } of services) await program.kill('SIGKILL');
    await cluster.remove();
  });

  async function expectReady(): Promise<void> {
    for (const { url } of services) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  }

  const urls = () => services.map(({ url }) => url);

  test.each(Object.entries(BLOWS))(
    'synchronous, lose and double nothing, show nothing stale and take additions without the old primary: %s',
    async (name, blow) => {
      await start({ synchronous: 'strict', synchronousNodes: 1, synchronousCommit: 'on' });
      const result = await tryOnCluster(cluster, urls(), blow, ROUNDS);
      printFigures(`Changes of the primary: ${name}`, figuresOf(result));
      expectNothingLost(result);
      await expectReady();
    },
    LONG_MS,
  );

  test(
    'asynchronous, lose what was acknowledged by a primary that is cut off while the service reaches it',
    async () => {
      await start({ synchronous: 'off', synchronousNodes: 1, synchronousCommit: 'on' });
      // Until the primary steps down, it acknowledges changes that no other server receives.
      const [, cut] = Object.entries(BLOWS).find(([name]) => name.startsWith('cut off'))!;
      const result = await tryOnCluster(cluster, urls(), cut, 1);
      printFigures('The primary is cut off, with asynchronous replication', figuresOf(result));
      expect(result.lies.filter((lie) => lie.endsWith('is lost')).length).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
