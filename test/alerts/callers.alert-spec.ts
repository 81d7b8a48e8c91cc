import { join } from 'node:path';
import { BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { clientOf, type Client } from '../support/running-app.js';
import { expectQuiet, expectTold, type Incident } from './incident.js';
import { PacedLoad } from './paced-load.js';
import { describeWithPrometheus, Site } from './site.js';

/** Longer than in the other files: a surge is relative to the requests of a key half an hour ago, which is a minute here. */
const QUIET_SECONDS = 80;

const PROGRAM = join(import.meta.dirname, 'server-with-sunset.js') as `/${string}`;

describeWithPrometheus('of the callers', () => {
  let database: ServerDatabase;
  let site: Site;
  let client: Client;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    database = await createMigratedDatabase();
    ends.push(() => database.remove());
    for (const name of ['shop', 'warehouse', 'museum']) keys[name] = await createKey(name);
    site = await Site.start({ ...database, program: PROGRAM });
    ends.push(() => site.close());
    client = clientOf(site.url);
    const pages = (name: string) => () => client.request('/v1/pets', { key: keys[name]! });
    for (const name of ['shop', 'warehouse']) {
      const customer = new PacedLoad(3, pages(name));
      ends.push(() => customer.stop());
    }
  });

  async function createKey(name: string): Promise<string> {
    const program = new BuiltProgram('cli/keys', { ...database.environment }, ['create', '--name', name, '--json']);
    await program.ended();
    return (JSON.parse(program.answered) as { key: string }).key;
  }

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Requests in addition to the normal load. */
  function sending(perSecond: number, send: () => Promise<Response>): Incident['cause'] {
    return () => {
      const load = new PacedLoad(perSecond, send);
      return Promise.resolve(() => load.stop());
    };
  }

  test(`no alert fires in ${QUIET_SECONDS} seconds of normal load`, () => expectQuiet(site, QUIET_SECONDS));

  test('each tells what a caller does', async () => {
    const incidents: Incident[] = [
      {
        title: 'somebody tries keys',
        fires: ['AnimalStoreKeysRefused'],
        cause: sending(20, () => client.request('/v1/pets', { key: 'a-key-that-nobody-has' })),
      },
      {
        title: 'a key sends ten times as much as before',
        fires: ['AnimalStoreKeySurge'],
        cause: sending(40, () => client.request('/v1/pets', { key: keys['shop']! })),
      },
      {
        title: 'most requests of a key are wrong',
        fires: ['AnimalStoreKeyErrors'],
        cause: sending(10, () => client.request('/v1/pets?limit=many', { key: keys['warehouse']! })),
      },
      {
        title: 'a key calls what will be gone in 30 days',
        fires: ['AnimalStoreDeprecatedCallsBeforeSunset'],
        cause: sending(2, () => client.request('/v1/exhibits', { key: keys['museum']! })),
      },
    ];
    await expectTold(site, ...incidents);
  });

  test('the one on a surge names the key that sends more than before, and no other', async () => {
    const samples = await site.prometheus.query(
      'group by (key) (last_over_time(ALERTS{alertname="AnimalStoreKeySurge", alertstate="firing"}[10m]))',
    );
    expect(samples.map(({ metric }) => metric['key'])).toEqual(['shop']);
  });
});
