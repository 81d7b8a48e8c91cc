import { createMigratedDatabase, useDatabase, type ServerDatabase } from '../support/databases.js';
import { recordProof } from '../support/proofs.js';
import { exploreCommands, exploreConcurrent, type Exploration } from './catalogue/explorations.js';

const TIMEOUT_MS = 600_000;
const COMMAND = 'npm run test:properties -- catalogue';
const CLIENTS = { clients: 5, actions: 24 };

function figuresOf({ runs, seed, calls }: Exploration) {
  return { runs, calls, seed };
}

describe.each([
  [1, 'one instance', 'one-instance'],
  [2, 'two instances', 'two-instances'],
])('the catalogue on %i instance(s)', (instances, name, id) => {
  const database: ServerDatabase = useDatabase(createMigratedDatabase);

  test(
    'answers clients that ask one after the other as the model says, restarts between',
    async () => {
      const found = await exploreCommands(database, { name: `commands on ${name}`, runs: 250, instances });
      expect(found.calls).toBeGreaterThan(found.runs);
      recordProof(`properties-commands-${id}`, {
        promise: 'What was added is shown, listed and repeated exactly as it was answered, also after a restart',
        trial: `random additions with and without keys, repetitions, reads, pages and restarts on ${name}, each answer compared with a model`,
        command: COMMAND,
        figures: figuresOf(found),
      });
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
      recordProof(`properties-clients-${id}`, {
        promise: 'Whatever clients do at the same time is linearizable, and ids become visible in ascending order',
        trial: `random additions with and without keys, reads, pages and restarts by up to ${CLIENTS.clients} clients on ${name}, every history searched for an order that explains it`,
        command: COMMAND,
        figures: figuresOf(found),
      });
    },
    TIMEOUT_MS,
  );
});
