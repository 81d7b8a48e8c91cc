import { createMigratedDatabase, useDatabase, type ServerDatabase } from '../support/databases.js';
import { printFigures } from '../support/figures.js';
import { exploreCommands, exploreConcurrent, type Exploration } from './catalogue/explorations.js';

const TIMEOUT_MS = 600_000;
const CLIENTS = { clients: 5, actions: 24 };

function figuresOf({ runs, seed, calls }: Exploration) {
  return { runs, calls, seed };
}

describe.each([
  [1, 'one instance'],
  [2, 'two instances'],
])('the catalogue on %i instance(s)', (instances, name) => {
  const database: ServerDatabase = useDatabase(createMigratedDatabase);

  test(
    'answers clients that ask one after the other as the model says, restarts between',
    async () => {
      const found = await exploreCommands(database, { name: `commands on ${name}`, runs: 250, instances });
      expect(found.calls).toBeGreaterThan(found.runs);
      printFigures(
        'What was added is shown, listed and repeated exactly as it was answered, also after a restart',
        figuresOf(found),
      );
    },
    TIMEOUT_MS,
  );

  test(
    'answers clients that ask at the same time as if they had asked in some order, restarts between',
    async () => {
      const found = await exploreConcurrent(database, {
        ...{ name: `clients on ${name}`, runs: 300, instances, restarts: true },
        ...CLIENTS,
      });
      expect(found.calls).toBeGreaterThan(found.runs);
      printFigures(
        'Whatever clients do at the same time is linearizable, and ids become visible in ascending order',
        figuresOf(found),
      );
    },
    TIMEOUT_MS,
  );
});
