import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { DatabaseHealth } from '@animal-store/persistence';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { sentBy } from '../support/sent-statements.js';
import { openService, useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

/** The current number of lookup connections. */
async function lookupConnectionsTo({ url }: ServerDatabase): Promise<number> {
  const { rowCount } = await withClient(url, (client) =>
    client.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'animal-store (lookups)'`,
    ),
  );
  return rowCount ?? 0;
}

function newHash(): string {
  return hashApiKey(generateApiKey('astest'));
}

describe('looking up API keys', () => {
  const service = useService(createMigratedDatabase);
  let keys: ApiKeys;

  beforeAll(() => {
    keys = service.get(ApiKeys);
  });

  test('takes two statements for 300 that come at the same time', async () => {
    const sent = await sentBy(() => Promise.all(Array.from({ length: 300 }, () => keys.findByHash(newHash()))));
    expect(sent.filter(({ text }) => text.includes('from api_keys'))).toHaveLength(2);
  });

  test('opens no more than two connections beside those of the catalogue, with the questions for its health', async () => {
    const [other, health] = [newHash(), service.get(DatabaseHealth)];
    await Promise.all([
      keys.findByHash(other),
      keys.findAgain(other),
      ...Array.from({ length: 20 }, () => health.ask()),
    ]);
    expect(await lookupConnectionsTo(service.database)).toBe(2);
  });

  test('refuses the one that comes when 1,000 wait, at once', async () => {
    const outcomes = await withClient(service.database.url, async (client) => {
      await client.query('begin; lock table api_keys in access exclusive mode');
      const asked = Array.from({ length: 1_300 }, () => keys.findByHash(newHash()));
      const waiting = Promise.allSettled(asked);
      await expect(keys.findByHash(newHash())).rejects.toMatchObject({ kind: 'unavailable' });
      await client.query('rollback');
      return await waiting;
    });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_256);
  });

  test('finds again who was found before while 1,000 others wait', async () => {
    const hash = newHash();
    await keys.put(new ApiKey('among strangers', hash));
    const flood = Promise.allSettled(Array.from({ length: 1_300 }, () => keys.findByHash(newHash())));
    expect(await keys.findAgain(hash)).toMatchObject({ name: 'among strangers' });
    await flood;
  });

  test('gives up while somebody keeps the table for himself', async () => {
    await withClient(service.database.url, async (client) => {
      await client.query('begin; lock table api_keys in access exclusive mode');
      await expect(keys.findByHash(newHash())).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  test('fails as unavailable while a migration adds its column', async () => {
    await withClient(service.database.url, async (client) => {
      await client.query('alter table api_keys rename column lineage_id to lineage_id_later');
      await expect(keys.findByHash(newHash())).rejects.toMatchObject({ kind: 'unavailable' });
      await client.query('alter table api_keys rename column lineage_id_later to lineage_id');
    });
  });

  test('walks the unique index of the hashes, whatever the statement is given', async () => {
    const [sent] = (await sentBy(() => keys.findByHash(newHash()))).filter(({ text }) =>
      text.includes('from api_keys'),
    );
    const nodes = await withClient(service.database.url, async (client) => {
      await client.query(`
        insert into api_keys (name, hash)
        select 'key ' || n, encode(sha256(n::text::bytea), 'hex') from generate_series(1, 50000) as n`);
      await client.query('analyze api_keys');
      return await planOf(client, sent?.text ?? '');
    });
    const scans = nodes.filter((node) => node['Node Type'].endsWith('Scan'));
    expect(scans.map((node) => node['Index Name']).filter((name) => name !== undefined)).toEqual([
      'api_keys_hash_unique',
    ]);
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  });
});

test('no connection of the lookups is left when the service is closed', async () => {
  const database = await createMigratedDatabase();
  const service = await openService(database);
  await service.get(ApiKeys).findByHash(newHash());
  const before = await lookupConnectionsTo(database);
  await service.close();
  // PostgreSQL may need a moment to notice the closed connection.
  for (let left = 100; left > 0 && (await lookupConnectionsTo(database)) > 0; left--) await delay(20);
  expect([before, await lookupConnectionsTo(database)]).toEqual([1, 0]);
  await database.remove();
});

describe('the keys that were there before lineages were kept', () => {
  const service = useService(createMigratedDatabase);

  test('go on without one when they are rotated, and those that are made under their name afterwards do not', async () => {
    const [keys, administration] = [service.get(ApiKeys), service.get(ApiKeyAdministration)];
    const [old, rotated, other] = [newHash(), newHash(), newHash()];
    // The previous version of the service adds a key in this way.
    await withClient(service.database.url, (client) =>
      client.query(`insert into api_keys (name, hash) values ('shop', $1)`, [old]),
    );
    await administration.rotate(new ApiKey('shop', rotated), 3_600_000, 'me');
    const lineages = [await keys.findByHash(old), await keys.findByHash(rotated)].map((key) => key?.lineageId);
    await administration.revoke({ name: 'shop' }, 'me');
    const { id } = await administration.create(new ApiKey('shop', other), 'me');
    expect([...lineages, (await keys.findByHash(other))?.lineageId]).toEqual([undefined, undefined, id]);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The plan as on the connections of the service, which plan a statement once for all values. */
async function planOf(client: pg.Client, text: string): Promise<PlanNode[]> {
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare looking_up as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (format json) execute looking_up('{}')`,
  );
  return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
