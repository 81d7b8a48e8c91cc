import fc from 'fast-check';
import type { ServerDatabase } from '../../support/databases.js';
import type { RunningApp } from '../../support/running-app.js';
import { slowDatabase } from '../../support/slow-database.js';
import { withClient } from '../../support/sql.js';
import { explore, replayPathOf, type Explored } from '../exploration.js';
import { catalogueCommands } from './catalogue-commands.js';
import { CatalogueModel } from './catalogue-model.js';
import { checkConcurrent, scenes, type Concurrency } from './concurrent-clients.js';
import { Instances } from './instances.js';

/** The maximum delay of a statement on its way to the database, and of its answer on the way back. It is much longer than a request. */
const MAX_DELAY_MS = 12;

/** The maximum delay of a commit. */
const MAX_COMMIT_MS = 4;

/** How often a failing scene is tried again, because the failure depends on timing; and how often in total. */
const ATTEMPTS_WHILE_SHRINKING = 10;
const MAX_ATTEMPTS_WHILE_SHRINKING = 1_200;

/** The first ids of a run: beyond 2^53, doubles round; shorter ids have fewer digits to lose. */
const FIRST_IDS = [2n ** 53n + 1n, 10_000_000n, 2n ** 63n - 1_000n];

export interface Exploration extends Explored {
  /** The number of commands that ran, or of calls that were answered. */
  readonly calls: number;
}

/** The property that is explored. */
export interface ExploredCatalogue {
  readonly name: string;
  readonly runs: number;
  readonly instances: number;
  /** Is called with every instance that starts. */
  readonly prepare?: (app: RunningApp) => void;
}

/** Runs commands one after the other; every answer must be the answer of the model. @throws Error as `explore` does */
export async function exploreCommands(
  database: ServerDatabase,
  { name, runs, instances: count, prepare }: ExploredCatalogue,
): Promise<Exploration> {
  const instances = new Instances(database, count, prepare);
  let calls = 0;
  const replayPath = replayPathOf();
  const commands = fc.commands(catalogueCommands(count), {
    maxCommands: 25,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
  const property = fc.asyncProperty(fc.constantFrom(...FIRST_IDS), commands, async (firstId, given) => {
    await instances.reset(firstId);
    await fc.asyncModelRun(() => ({ model: new CatalogueModel(), real: instances }), given);
    calls += instances.transcript.steps.length;
  });
  try {
    return { ...(await explore(name, runs, property)), calls };
  } finally {
    await instances.close();
  }
}

/** Runs clients at the same time; some order of their calls must explain all answers. @throws Error as `explore` does */
export async function exploreConcurrent(
  database: ServerDatabase,
  { name, runs, instances: count, prepare, ...concurrency }: ExploredCatalogue & Concurrency,
): Promise<Exploration> {
  await slowCommits(database.url);
  const instances = new Instances(database, count, (app) => {
    slowDatabase(app, MAX_DELAY_MS);
    prepare?.(app);
  });
  let calls = 0;
  let attemptsLeft: number | undefined;
  const property = fc.asyncProperty(fc.constantFrom(...FIRST_IDS), scenes(concurrency), async (firstId, scene) => {
    // A scene that is not tried any more counts as successful, so the smallest failing scene so far remains.
    const attempts = attemptsLeft === undefined ? 1 : Math.min(ATTEMPTS_WHILE_SHRINKING, attemptsLeft);
    for (let attempt = 0; attempt < attempts; attempt++) {
      await instances.reset(firstId);
      try {
        calls += await checkConcurrent(instances, scene);
      } catch (error) {
        attemptsLeft ??= MAX_ATTEMPTS_WHILE_SHRINKING;
        throw error;
      } finally {
        if (attemptsLeft !== undefined) attemptsLeft -= 1;
      }
    }
  });
  try {
    return { ...(await explore(name, runs, property)), calls };
  } finally {
    await instances.close();
  }
}

/** Adds a delay between the assignment of an id and its commit, as on a busy server. */
async function slowCommits(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(`
      create function wait_a_moment() returns trigger language plpgsql as
        $$ begin perform pg_sleep(random() * ${MAX_COMMIT_MS / 1_000}); return null; end $$;
      create trigger wait_a_moment after insert on pets for each statement execute function wait_a_moment()`),
  );
}
