import { createMigratedDatabase } from '../support/databases.js';
import { printFigures } from '../support/print-figures.js';
import { checkLinearizability } from '../support/linearizability.js';
import { checkLinearizableChanges } from './linearizable-changes.js';
import { useApp, useTwoApps } from '../support/running-app.js';
import { slowDatabase } from './slow-database.js';

/** The maximum delay of a statement on the way to the database, and of its result on the way back. */
const MAX_DELAY_MS = 4;
const TIMEOUT_MS = 600_000;

describe('among 16 clients that read all the time', () => {
  const one = useApp(createMigratedDatabase);
  const two = useTwoApps(createMigratedDatabase);

  beforeAll(() => {
    for (const app of [one, ...two]) slowDatabase(app, MAX_DELAY_MS);
  });

  test.each([
    // These come first: they look for their pets on the first page.
    ['what a unit of work changed is shown', 'one instance', () => checkLinearizableChanges([one], effort(3_000))],
    ['what a unit of work changed is shown', 'two instances', () => checkLinearizableChanges(two, effort(3_000))],
    ['what a client added is shown', 'one instance', () => checkLinearizability([one], effort(5_000))],
    ['what a client added is shown', 'two instances', () => checkLinearizability(two, effort(5_000))],
  ])(
    '%s by every read that begins afterwards, on %s',
    async (what, where, check) => {
      const { rounds, reads, miss } = await check();
      printFigures(`${what}, on ${where}`, { rounds, reads, missed: miss ?? 'nothing' });
      expect(miss).toBeUndefined();
    },
    TIMEOUT_MS,
  );
});

function effort(rounds: number) {
  return { readers: 16, writers: 8, rounds };
}
