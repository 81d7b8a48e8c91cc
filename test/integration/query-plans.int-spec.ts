import { UnitOfWork } from '@animal-store/kernel';
import { PetReadModel, PetRepository, type PetPageQuery } from '@animal-store/pets-domain';
import { createMigratedDatabase } from '../support/databases.js';
import { sentBy, type SentStatement } from '../support/sent-statements.js';
import { useService, type Service } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

/** The number of pets: enough for PostgreSQL to distinguish a good plan from a bad one. */
const PETS = 100_000;
const LIMIT = 20;

/** The relevant parts of a plan, with the names of EXPLAIN. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const queries: { title: string; query: PetPageQuery }[] = [
  { title: 'the first page', query: { limit: LIMIT } },
  { title: 'the first page of a frequent status', query: { limit: LIMIT, status: 'available' } },
  {
    title: 'a page of a frequent status in the middle',
    query: { limit: LIMIT, status: 'available', afterId: 45_000n },
  },
  { title: 'a page of a rare status in the middle', query: { limit: LIMIT, status: 'pending', afterId: 45_000n } },
  { title: 'a page of a status that comes no more', query: { limit: LIMIT, status: 'sold', afterId: 60_000n } },
];

const service = useService(createMigratedDatabase);

beforeAll(async () => {
  await withClient(service.database.url, async (client) => {
    // The older half is sold, as in a real store. A search for other pets without an index reads that half first.
    await client.query(`
      insert into pets (name, category_id, status)
      select 'Rex ' || n, n % 50,
        case when n <= ${PETS / 2} then 'sold' when n % 100 = 0 then 'pending' else 'available' end
      from generate_series(1, ${PETS}) as n`);
    await client.query('vacuum analyze pets');
  });
});

/** The plans of all statements about pets that `act` sends. */
async function plansOf(act: () => Promise<unknown>): Promise<PlanNode[]> {
  const statements = (await sentBy(act)).filter(({ text }) => text.includes('pets'));
  return (await Promise.all(statements.map(planOf))).flat();
}

/** The plan as on the connections of the service, which plan a prepared statement once for all values. */
async function planOf({ name, text, values = [] }: SentStatement): Promise<PlanNode[]> {
  return await withClient(service.database.url, async (client) => {
    let statement = text;
    if (name !== undefined) {
      await client.query('set plan_cache_mode = force_generic_plan');
      await client.query(`prepare asked as ${text}`);
      statement = `execute asked(${values.map(literalOf).join(', ')})`;
    }
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${statement}`,
    );
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  });
}

/** A value of a parameter, or an array of such values, as SQL. The values of these tests need no quotes. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `'{${value.map((one) => one ?? 'null').join(',')}}'`;
  return value === null ? 'null' : `'${(value as string | number).toString()}'`;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('the read model', () => {
  /** The plans for a page, by the title of the query. */
  const plans = new Map<string, PlanNode[]>();

  beforeAll(async () => {
    // Each page is read only once: the read model may cache a page and then ask only whether the page is still current.
    for (const { title, query } of queries) {
      plans.set(title, await plansOf(() => service.get(PetReadModel).findPage(query)));
    }
  });

  function nodesFor(title: string): PlanNode[] {
    return plans.get(title) ?? [];
  }

  function scansFor(title: string): PlanNode[] {
    return nodesFor(title).filter((node) => node['Relation Name'] === 'pets' || node['Node Type'].startsWith('Bitmap'));
  }

  test.each(queries.slice(0, -1))('looks at pets, or this test would show nothing: $title', ({ title }) => {
    expect(rowsRead(scansFor(title))).toBeGreaterThanOrEqual(LIMIT);
  });

  test.each(queries)('walks an index that is made for it, and sorts nothing: $title', ({ title }) => {
    const scans = scansFor(title);
    expect(scans.filter((node) => !/^Index (?:Only )?Scan$/.test(node['Node Type']))).toEqual([]);
    expect(scans.filter((node) => !/^pets_(?:pkey|[a-z_]+_id_index)$/.test(node['Index Name'] ?? ''))).toEqual([]);
    expect(nodesFor(title).filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  });

  test.each(queries)('reads no more rows than the page shows, and one: $title', ({ title }) => {
    expect(rowsRead(scansFor(title))).toBeLessThanOrEqual(LIMIT + 1);
  });
});

const finders: { reader: string; find: (service: Service, id: bigint) => Promise<unknown> }[] = [
  {
    reader: 'the repository',
    find: (service, id) => service.get(UnitOfWork).run(() => service.get(PetRepository).findForUpdate(id)),
  },
  { reader: 'the read model', find: (service, id) => service.get(PetReadModel).findById(id) },
];

describe.each(finders)('$reader, asked for pets by their ids at once', ({ find }) => {
  const KNOWN = [1n, 45_000n, 45_001n, BigInt(PETS)];
  const UNKNOWN = 9_223_372_036_854_775_807n;
  let nodes: PlanNode[];

  beforeAll(async () => {
    const ids = [...KNOWN, UNKNOWN];
    nodes = await plansOf(() => Promise.all(ids.map((id) => find(service, id))));
  });

  test('looks them up in the primary key, and nowhere else', () => {
    const scans = nodes.filter((node) => node['Node Type'].endsWith('Scan'));
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((node) => node['Index Name'] !== 'pets_pkey' || node['Node Type'] !== 'Index Scan')).toEqual(
      [],
    );
  });

  test('reads no other pets', () => {
    expect(rowsRead(nodes.filter((node) => node['Relation Name'] === 'pets'))).toBe(KNOWN.length);
  });
});

/** The number of rows that PostgreSQL read, whether they were returned or not. */
function rowsRead(scans: readonly PlanNode[]): number {
  return scans
    .map((node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
    .reduce((sum, rows) => sum + rows, 0);
}
