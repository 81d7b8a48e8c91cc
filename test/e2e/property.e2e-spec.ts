import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { useApp } from '../support/running-app.js';
import {
  beginIdsAt,
  describeRequests,
  exploreValid,
  readDescription,
} from '../properties/requests/described-requests.js';

/** A few runs, so that the test stays fast. `npm run test:properties` does many runs. */
const RUNS = { valid: 5, broken: 30, hostile: { runs: 3, connections: 200, patienceMs: 250 } };

describe('of the operations of the service, in a few tries,', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await beginIdsAt(app.database.url, 2n ** 53n + 1n);
  });

  describeRequests(app, RUNS);
});

describe.each(DATABASES)('any valid pet on $name', ({ create }) => {
  const app = useApp(create);

  test('is answered, stored and read as it was sent', async () => {
    const description = await readDescription(app);
    const runs = await exploreValid(app, description, description.at('POST', '/v1/pets')!, 40);
    expect(runs).toBeGreaterThan(0);
  });
});
