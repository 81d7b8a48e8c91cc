import type { BuiltProgram } from '../support/built-server.js';
import '../support/one-realm.js';
import { BLOWS } from '../support/patroni-blows.js';
import {
  describeOnPatroni,
  describeTrial,
  figuresOf,
  LONG_MS,
  startService,
  TRIAL,
  tryOnCluster,
  unexpected,
} from '../support/patroni-trial.js';
import { PatroniCluster } from '../support/patroni.js';
import { printFigures } from '../support/figures.js';

describeOnPatroni('under Patroni with asynchronous replication', () => {
  let cluster: PatroniCluster;
  let program: BuiltProgram;
  let url: string;

  beforeAll(async () => {
    cluster = await PatroniCluster.start({ synchronous: 'off', synchronousNodes: 1, synchronousCommit: 'on' });
    ({ program, url } = await startService({ DATABASE_URL: cluster.url }));
  }, LONG_MS);

  afterAll(async () => {
    await program.kill('SIGKILL');
    await cluster.remove();
  });

  test(
    'a primary that is cut off while the service reaches it takes acknowledged pets with it',
    async () => {
      // Until the primary steps down, it acknowledges changes that no other server receives.
      const result = await tryOnCluster(cluster, { service: url }, BLOWS.cut, { ...TRIAL, rounds: 1 });
      console.log(describeTrial('asynchronous, cut off', result));
      expect(result.lost.length).toBeGreaterThan(0);
      printFigures(
        'None: asynchronous replication loses what was acknowledged by a primary that is cut off',
        figuresOf(result),
      );
    },
    LONG_MS,
  );

  test(
    'kill -9 of the primary may take acknowledged pets with it',
    async () => {
      const result = await tryOnCluster(cluster, { service: url }, BLOWS.kill, { ...TRIAL, pauseMs: 0 });
      console.log(describeTrial('asynchronous, kill -9', result));
      expect(result.doubled).toEqual([]);
      expect(unexpected(result.load).filter(({ status }) => status !== 404)).toEqual([]);
      printFigures(
        'None: asynchronous replication may lose what was acknowledged in the moment before a kill -9',
        figuresOf(result),
      );
    },
    LONG_MS,
  );
});
