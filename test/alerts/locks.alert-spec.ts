import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { untilBlocked, withClient } from '../support/database-client.js';
import { expectQuiet, expectTold } from './incident.js';
import { LOCK, NAME, OwnedDatabase } from './owned-database.js';
import { describeWithPrometheus, MonitoredSite } from './monitored-site.js';

const RUNBOOK = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

describeWithPrometheus('of locks and statements', () => {
  let database: OwnedDatabase;
  let site: MonitoredSite;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    database = await OwnedDatabase.start();
    ends.push(() => database.server.stop());
    site = await MonitoredSite.start({ environment: { DATABASE_URL: database.url(NAME) } });
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('no alert fires in a minute of normal load', () => expectQuiet(site, 60));

  test('a lock of six seconds is no incident', async () => {
    await expectQuiet(site, 90, async () => {
      const unlock = await database.lockPets();
      await delay(6_000);
      await unlock();
    });
  });

  test('one pages, one names the reason, a lock, and the runbook finds its holder', () =>
    expectTold(site, {
      title: 'pets are locked',
      // Latency keeps still.
      fires: ['AnimalStoreAvailability', 'AnimalStoreRequestsWait', 'AnimalStoreDatabaseErrors'],
      cause: async () => {
        const unlock = await database.lockPets();
        await untilBlocked(database.url('postgres'));
        const { rows } = await withClient(database.url('postgres'), (client) =>
          client.query<{ last_query_of_holder: string }>(queriesOf('Database errors')[0]!),
        );
        expect(rows[0]?.last_query_of_holder).toBe(LOCK);
        return unlock;
      },
    }));

  test.each(sectionsWithQueries())('the queries of the runbook run: %s', async (section) => {
    for (const query of queriesOf(section)) await expect(database.execute(query)).resolves.toBeDefined();
  });

  test('one tells that requests are slow', () =>
    expectTold(site, {
      title: 'pets are locked for most of each second',
      fires: ['AnimalStoreLatency'],
      alongside: ['AnimalStoreRequestsWait'],
      cause: () => {
        const over = new AbortController();
        const locks = (async () => {
          while (!over.signal.aborted) {
            const unlock = await database.lockPets();
            await delay(1_000);
            await unlock();
            await delay(100);
          }
        })();
        return Promise.resolve(async () => {
          over.abort();
          await locks;
        });
      },
    }));

  test('one pages when a tenth of the requests fail, and another names the reason', () =>
    expectTold(site, {
      title: 'a trigger refuses additions, which are a tenth of the requests',
      fires: ['AnimalStoreInternalErrors', 'AnimalStoreAvailability'],
      cause: async () => {
        await database.execute(`
          create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
          create trigger refuse before insert on pets for each row execute function refuse()`);
        return async () => {
          await database.execute('drop function refuse cascade');
        };
      },
    }));
});

/** The blocks of SQL in a section of the runbook, in order. */
function queriesOf(section: string): string[] {
  const [, text] = RUNBOOK.split(`\n## ${section}\n`);
  const [own = ''] = (text ?? '').split('\n## ');
  return [...own.matchAll(/```sql\n(?<sql>[^`]*)```/g)].map(([, sql]) => sql!);
}

/** The titles of all sections with blocks of SQL. */
function sectionsWithQueries(): string[] {
  const titles = [...RUNBOOK.matchAll(/^## (?<title>.+)$/gm)].map(([, title]) => title!);
  return titles.filter((title) => queriesOf(title).length > 0);
}
