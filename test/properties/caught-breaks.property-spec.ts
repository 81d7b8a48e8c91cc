import { createMigratedDatabase } from '../support/databases.js';
import { letReadsJoin } from '../support/joining-reads.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { dropLastDigits, failForAstralNames, loseFingerprints, skipLock } from './breaks.js';
import { exploreCommands, exploreConcurrent } from './catalogue/explorations.js';
import { beginIdsAt, exploreValid, readDescription } from './requests/described-requests.js';

const TIMEOUT_MS = 300_000;
const RUNS = 1_000;

/** The maximum number of calls in a scene that shows the fault, out of up to 25 calls. The number depends on timing. */
const MAX_CALLS = 12;

/** The message of an exploration of a service that was broken on purpose. */
async function complaintOf(exploration: Promise<unknown>): Promise<string> {
  return await exploration.then(
    () => 'nothing was found',
    (error: unknown) => (error as Error).message,
  );
}

/** The number of requests that the script of a complaint sends. */
function callsIn(complaint: string): number {
  return complaint.match(/^ *(?:printf .* )?call(?:_head)? [0-9]/gm)?.length ?? 0;
}

async function withDatabase<Result>(
  work: (database: Awaited<ReturnType<typeof createMigratedDatabase>>) => Promise<Result>,
) {
  const database = await createMigratedDatabase();
  try {
    return await work(database);
  } finally {
    await database.remove();
  }
}

describe('commands, one after the other,', () => {
  test.each<[what: string, prepare: (app: RunningApp) => void, message: RegExp, calls: number]>([
    ['the fingerprint of a key is lost', loseFingerprints, /201 .* where 422/, 2],
    ['some names fail', failForAstralNames, /500 .* where 201/, 1],
    ['ids lose their last digit', dropLastDigits, /200 .* where 200/, 2],
  ])(
    'tell when %s, by the fewest requests that show it',
    async (_what, prepare, message, calls) => {
      const complaint = await withDatabase((database) =>
        complaintOf(exploreCommands(database, { name: 'commands', runs: RUNS, instances: 1, prepare })),
      );
      expect(complaint).toMatch(message);
      expect(callsIn(complaint)).toBe(calls);
    },
    TIMEOUT_MS,
  );
});

describe('what a failure says', () => {
  /** The environment that the command of a complaint sets. */
  function settingsOf(complaint: string): Record<string, string | undefined> {
    const { groups = {} } =
      /--seed (?<seed>\S+) --path (?<path>\S+) --replay-path (?<replay>\S+) --title/.exec(complaint) ?? {};
    return { PROPERTY_SEED: groups['seed'], PROPERTY_PATH: groups['path'], PROPERTY_REPLAY_PATH: groups['replay'] };
  }

  test(
    'repeats it at once, with the same values and the same script',
    async () => {
      const find = () =>
        withDatabase((database) =>
          complaintOf(
            exploreCommands(database, { name: 'commands', runs: RUNS, instances: 2, prepare: loseFingerprints }),
          ),
        );
      const first = await find();
      const before = { ...process.env };
      Object.assign(process.env, settingsOf(first));
      const again = await find();
      process.env = before;
      expect(again).toContain('found after 1 runs and 0 steps of shrinking');
      const values = (complaint: string) => /^Values: .*$/m.exec(complaint)?.[0].replace(/\/\*replayPath.*\*\//, '');
      expect(values(again)).toBe(values(first));
      expect(callsIn(again)).toBe(callsIn(first));
    },
    TIMEOUT_MS,
  );
});

describe('clients at the same time', () => {
  const CLIENTS = { clients: 5, actions: 24, restarts: false };

  test.each([
    ['findPage', /list /],
    ['findById', /get /],
  ] as const)(
    'tell when %s joins a statement under way, in few calls',
    async (kind, message) => {
      const prepare = (app: RunningApp) => {
        letReadsJoin(app, kind);
      };
      const complaint = await withDatabase((database) =>
        complaintOf(exploreConcurrent(database, { name: 'clients', runs: RUNS, instances: 1, prepare, ...CLIENTS })),
      );
      expect(complaint).toContain('No order of the calls explains the answers');
      expect(complaint).toMatch(message);
      expect(callsIn(complaint)).toBeLessThanOrEqual(MAX_CALLS);
    },
    TIMEOUT_MS,
  );

  test(
    'tell when two instances add without the lock, in few calls',
    async () => {
      const complaint = await withDatabase(async (database) => {
        await skipLock(database.url);
        return await complaintOf(
          exploreConcurrent(database, { name: 'clients', runs: RUNS, instances: 2, ...CLIENTS }),
        );
      });
      expect(complaint).toContain('No order of the calls explains the answers');
      expect(callsIn(complaint)).toBeLessThanOrEqual(MAX_CALLS);
    },
    TIMEOUT_MS,
  );
});

describe('requests made from the document', () => {
  test.each<[what: string, prepare: (app: RunningApp) => void, message: RegExp, calls: number]>([
    ['some names fail', failForAstralNames, /createPet 500|was answered 500/, 1],
    ['ids lose their last digit', dropLastDigits, /GET \/v1\/pets\/[0-9]+ gives 200/, 2],
  ])(
    'tell when %s, by the fewest requests that show it',
    async (_what, prepare, message, calls) => {
      const complaint = await withDatabase(async (database) => {
        await beginIdsAt(database.url, 2n ** 53n + 1n);
        const app = await startApp(database);
        prepare(app);
        const description = await readDescription(app);
        const createPet = description.at('POST', '/v1/pets')!;
        return await complaintOf(exploreValid(app, description, createPet, RUNS)).finally(() => app.close());
      });
      expect(complaint).toMatch(message);
      expect(callsIn(complaint)).toBe(calls);
    },
    TIMEOUT_MS,
  );
});
