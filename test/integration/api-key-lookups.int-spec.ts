import type pg from 'pg';
import { ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
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
    expect(sent.filter(({ text }) => text.includes('"api_keys"'))).toHaveLength(2);
  });

  test('gives up while somebody keeps the table for himself', async () => {
    await withClient(service.database.url, async (client) => {
      await client.query('begin; lock table api_keys in access exclusive mode');
      await expect(keys.findByHash(newHash())).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  test('walks the unique index of the hashes', async () => {
    const [sent] = (await sentBy(() => keys.findByHash(newHash()))).filter(({ text }) => text.includes('"api_keys"'));
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

async function planOf(client: pg.Client, text: string): Promise<PlanNode[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${text}`);
  return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
