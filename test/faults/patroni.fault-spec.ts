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

describeOnPatroni('three servers under Patroni, synchronous, behind haproxy', () => {
  let cluster: PatroniCluster;
  let program: BuiltProgram;
  let url: string;

  beforeEach(async () => {
    cluster = await PatroniCluster.start({ synchronous: 'strict', synchronousNodes: 1, synchronousCommit: 'on' });
    ({ program, url } = await startService({ DATABASE_URL: cluster.url }));
  }, LONG_MS);

  afterEach(async () => {
    await program.kill('SIGKILL');
    await cluster.remove();
  });

  test.each(Object.entries(BLOWS))(
    'lose and double nothing, show nothing stale and take additions again in time: %s',
    async (name, blow) => {
      const result = await tryOnCluster(cluster, { service: url }, blow, TRIAL);
      console.log(describeTrial(name, result));
      expectNothingLost(result);
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      printFigures(
        'A failover loses and doubles no acknowledged pet, shows nothing stale, and needs no restart',
        figuresOf(result),
      );
    },
    LONG_MS,
  );
});
