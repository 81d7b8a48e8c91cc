import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { clientOf, type Client } from '../support/running-app.js';
import { expectQuiet, expectTold, type Incident } from './incident.js';
import { ConstantLoad } from './constant-load.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

const DASHBOARD = join(import.meta.dirname, '../../deploy/grafana/animal-store.json');

describeWithPrometheus('of the callers', () => {
  let database: ServerDatabase;
  let site: MonitoredSite;
  let client: Client;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    database = await createMigratedDatabase();
    ends.push(() => database.remove());
    for (const name of ['shop', 'warehouse']) await createKey(name);
    site = await MonitoredSite.start(database);
    ends.push(() => site.close());
    client = clientOf(site.url);
    const pages = (name: string) => () => client.request('/v1/pets', { key: keys[name]! });
    const customer = new ConstantLoad(3, pages('warehouse'));
    ends.push(() => customer.stop());
  });

  async function createKey(name: string, ...options: string[]): Promise<void> {
    keys[name] = (await runKeys('create', '--name', name, ...options)).trimEnd();
  }

  async function runKeys(...words: string[]): Promise<string> {
    const program = new BuiltProgram('cli/keys', { ...database.environment }, words);
    await program.ended();
    return program.standardOutput;
  }

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Requests in addition to the normal load. */
  function sending(perSecond: number, send: () => Promise<Response>): Incident['cause'] {
    return () => {
      const load = new ConstantLoad(perSecond, send);
      return Promise.resolve(() => load.stop());
    };
  }

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('one tells that strangers try keys, and one that a key ends within a week', () =>
    expectTold(
      site,
      {
        title: 'somebody tries keys',
        fires: ['AnimalStoreKeysRefused'],
        cause: sending(20, () => client.request('/v1/pets', { key: 'a-key-that-nobody-has' })),
      },
      {
        title: 'a key in use has five days left',
        fires: ['AnimalStoreKeyExpires'],
        cause: async () => {
          await createKey('depot', '--expires-in', '5d');
          const end = await sending(1, () => client.request('/v1/pets', { key: keys['depot']! }))();
          return async () => {
            await end();
            await runKeys('revoke', 'depot');
          };
        },
      },
    ));

  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  // The limit of a control group is there only inside one.
  const targets = panels
    .flatMap(({ title, targets: of }) => of.map(({ expr }) => ({ title, expr })))
    .filter(({ expr }) => !expr.includes('animal_store_memory_limit_bytes'));

  test.each(targets)('the dashboard gets data for $title, by $expr', async ({ expr }) => {
    const asked = expr.replaceAll(/\$(?:job|instance)\b/g, '.+').replaceAll('$__rate_interval', '1m');
    const samples = await site.prometheus.query(asked);
    expect(samples.filter(({ value }) => !Number.isNaN(value))).not.toEqual([]);
  });
});
