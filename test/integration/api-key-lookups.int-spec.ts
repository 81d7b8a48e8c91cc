import type pg from 'pg';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { sentBy } from '../support/sent-statements.js';
import { useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

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

  test('refuses the one that comes when 1,000 wait, at once', async () => {
    const outcomes = await withClient(service.database.url, async (client) => {
      await client.query('begin; lock table api_keys in access exclusive mode');
      const asked = Array.from({ length: 1_300 }, () => keys.findByHash(newHash()));
      const waiting = Promise.allSettled(asked);
      await expect(keys.findByHash(newHash())).rejects.toMatchObject({ kind: 'unavailable' });
      await client.query('rollback');
      return await waiting;
    });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_000);
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
