import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';
import { beginIdsAt, describeRequests } from './requests/described-requests.js';

const RUNS = { valid: 250, broken: 500, hostile: { runs: 100, connections: 32 } };

describe('of the operations of the service', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await beginIdsAt(app.database.url, 2n ** 53n + 1n);
  });

  describeRequests(app, RUNS);
});
