import { createMigratedDatabase } from '../support/databases.js';
import { letReadsJoin } from '../support/joining-reads.js';
import { checkLinearizability, type Outcome } from '../support/linearizability.js';
import { checkLinearizableChanges } from '../support/linearizable-changes.js';
import { useApp, useTwoApps } from '../support/running-app.js';
import { slowDatabase } from '../support/slow-database.js';
import { printFigures } from '../support/figures.js';

const EFFORT = { readers: 16, writers: 8, rounds: 5_000 };
/** The maximum delay of a statement on the way to the database, and of its result on the way back. */
const MAX_DELAY_MS = 4;
const TIMEOUT_MS = 300_000;

function report(what: string, { rounds, reads, miss }: Outcome): void {
  process.stdout.write(`${what}: ${rounds} rounds, ${reads} reads, missed: ${miss ?? 'nothing'}\n`);
}

function keep(id: string, where: string, { rounds, reads }: Outcome): void {
  printFigures('What was acknowledged is seen by every read that begins afterwards', { rounds, reads, missed: 0 });
}

describe('what a client made and looks for at once, among 16 that read all the time,', () => {
  const one = useApp(createMigratedDatabase);
  const two = useTwoApps(createMigratedDatabase);

  beforeAll(() => {
    for (const app of [one, ...two]) slowDatabase(app, MAX_DELAY_MS);
  });

  test(
    'is found 5,000 times out of 5,000 on one instance',
    async () => {
      const outcome = await checkLinearizability([one], EFFORT);
      report('one instance', outcome);
      expect(outcome).toMatchObject({ rounds: EFFORT.rounds, miss: undefined });
      keep('additions-one-instance', 'one instance', outcome);
    },
    TIMEOUT_MS,
  );

  test(
    'is found 5,000 times out of 5,000 on two instances',
    async () => {
      const outcome = await checkLinearizability(two, EFFORT);
      report('two instances', outcome);
      expect(outcome).toMatchObject({ rounds: EFFORT.rounds, miss: undefined });
      keep('additions-two-instances', 'two instances', outcome);
    },
    TIMEOUT_MS,
  );
});

describe.each([
  ['findById', 'by its id'],
  ['findPage', 'in /v1/pets'],
] as const)('the check, where %s joins a statement under way,', (kind, where) => {
  const app = useApp(createMigratedDatabase);

  beforeAll(() => {
    slowDatabase(app, MAX_DELAY_MS);
    letReadsJoin(app, kind);
  });

  test(
    'catches the read that misses what was acknowledged before it',
    async () => {
      const outcome = await checkLinearizability([app], EFFORT);
      report(`${kind} that joins`, outcome);
      expect(outcome.miss).toContain(where);
    },
    TIMEOUT_MS,
  );
});

describe('a pet that a unit of work changed', () => {
  const changes = { ...EFFORT, rounds: 3_000 };
  const one = useApp(createMigratedDatabase);
  const two = useTwoApps(createMigratedDatabase);
  const joining = ['findById', 'findPage'] as const;
  const broken = joining.map(() => useApp(createMigratedDatabase));

  beforeAll(() => {
    for (const app of [one, ...two, ...broken]) slowDatabase(app, MAX_DELAY_MS);
    joining.forEach((kind, index) => {
      letReadsJoin(broken[index]!, kind);
    });
  });

  test.each([
    ['one instance', () => [one]],
    ['two instances', () => two],
  ])(
    'is shown so by every read that begins afterwards, on %s',
    async (name, apps) => {
      const outcome = await checkLinearizableChanges(apps(), changes);
      report(`changes on ${name}`, outcome);
      expect(outcome.miss).toBeUndefined();
      keep(`changes-${name}`, `${name}, for changes by a unit of work`, outcome);
    },
    TIMEOUT_MS,
  );

  test.each([
    [0, '/v1/pets/'],
    [1, '/v1/pets'],
  ])(
    'is not, and the check says so, where reads join a statement under way (%#)',
    async (index, where) => {
      const outcome = await checkLinearizableChanges([broken[index]!], changes);
      report('changes where reads join', outcome);
      expect(outcome.miss).toContain(where);
    },
    TIMEOUT_MS,
  );
});
