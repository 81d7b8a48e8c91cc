import { ReadModel, Serialized, SerializedPage, type PageQuery } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import type { SqlExecutor, Value } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { PageCache, type Rows } from './page-cache.js';
import { columnsOf, type TableSql } from './table-sql.js';

/** The rows that requests of one batch want after one position, with the same filters. */
interface Wanted {
  readonly key: string;
  readonly filters: readonly Value[];
  readonly afterId: bigint;
  size: number;
}

/** The rows that the pages of one statement have together: a call that arrives waits for the statement in flight. */
const MAX_ROWS = 5_000;

/**
 * Reads a table as JSON text, which PostgreSQL renders. Waiting requests share statements.
 *
 * Pages are cached with the snapshot in which they were rendered. A cached page is used only if a statement that started after
 * the request arrived runs in the same snapshot: its rows are then the same, and PostgreSQL does not send them again. If
 * PostgreSQL sends the same text again, the values that were computed from it are used again.
 *
 * Inside a transaction a call runs alone on its connection and is not cached, because it sees changes that others do not see.
 */
export class TableReadModel<Filter extends object> extends ReadModel<Filter> {
  readonly byId: Batcher<bigint, Serialized | undefined>;
  readonly pages: Batcher<PageQuery & Filter, SerializedPage>;

  constructor(
    private readonly table: TableSql,
    executor: SqlExecutor,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
    limits: BatchingLimits,
  ) {
    super();
    const cache = new PageCache();
    this.byId = new Batcher({ ...limits, writes: false, run: (ids) => this.readRows(executor, ids) });
    this.pages = new Batcher({
      ...limits,
      writes: false,
      run: (queries) => this.readPages(executor, queries, cache),
      weight: { of: ({ limit }) => limit, most: MAX_ROWS },
      sizeOf: ({ text }) => text.length,
    });
  }

  override findById(id: bigint): Promise<Serialized | undefined> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.byId.submit(id);
    return onDatabase(() => this.readRows(statements, [id])).then(([row]) => row);
  }

  override findPage(query: PageQuery & Filter): Promise<SerializedPage> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.pages.submit(query);
    return onDatabase(async () => {
      const [page = new SerializedPage('[]', undefined)] = await this.readPages(statements, [query], new PageCache());
      return page;
    });
  }

  private async readRows(executor: SqlExecutor, ids: readonly bigint[]): Promise<(Serialized | undefined)[]> {
    const asText = ids.map(String);
    const rows = await executor.run(this.table.statements.find, [asText]);
    const found = new Map(rows.map(([id, json]) => [String(id), new Serialized(json as string)]));
    return asText.map((id) => found.get(id));
  }

  private async readPages(
    executor: SqlExecutor,
    queries: readonly (PageQuery & Filter)[],
    cache: PageCache,
  ): Promise<Iterable<SerializedPage>> {
    const wanted = new Map<string, Wanted>();
    const keys = queries.map((query) => this.want(query, wanted, cache));
    const rows = await readWanted(executor, this.table, [...wanted.values()], cache);
    return cutPages(queries, keys, rows, cache);
  }

  /** Adds what a query wants to what others want. @returns its key */
  private want(query: PageQuery & Filter, wanted: Map<string, Wanted>, cache: PageCache): string {
    const { limit, afterId = this.table.firstPage } = query;
    const filters = this.table.filtersOf(query);
    const key = `${afterId}${keyOf(filters)}`;
    const same = wanted.get(key);
    // One row more than the page shows whether there is a next page.
    if (same !== undefined) same.size = Math.max(same.size, limit + 1);
    else wanted.set(key, { key, filters, afterId, size: Math.max(cache.sizeOf(key), limit + 1) });
    return key;
  }
}

/** @returns the rows by the key of what is wanted */
async function readWanted(
  executor: SqlExecutor,
  table: TableSql,
  wanted: readonly Wanted[],
  cache: PageCache,
): Promise<ReadonlyMap<string, Rows>> {
  // The statement compares with this snapshot. While it runs, another batch may change the cache.
  const { snapshot: latest } = cache;
  const cached = wanted.map(({ key, size }) => cache.find(key, size));
  const rows = await executor.run(table.statements.pages, [
    wanted.map(({ afterId }) => String(afterId)),
    wanted.map(({ size }) => size),
    cached.map((page) => page !== undefined),
    latest,
    ...columnsOf(wanted.map(({ filters }) => filters)),
  ]);
  cache.snapshot = (rows[0]?.[1] ?? null) as string | null;
  const found = new Map<string, Rows>();
  for (const [position, snapshot, json] of rows) {
    const index = Number(position) - 1;
    const want = wanted[index];
    if (want === undefined) continue;
    const unchanged = snapshot === latest ? cached[index] : undefined;
    found.set(want.key, unchanged ?? cache.keep(want.key, (json ?? '') as string, want.size));
  }
  return found;
}

/**
 * Cuts the page of each query while they are handed out. A function of the module: V8 keeps something of every generator function
 * that is made in a call, and with it the call's rows, until the next full collection.
 */
function* cutPages(
  queries: readonly PageQuery[],
  keys: readonly string[],
  rows: ReadonlyMap<string, Rows>,
  cache: PageCache,
): Iterable<SerializedPage> {
  for (const [index, { limit }] of queries.entries()) {
    const found = rows.get(keys[index] ?? '');
    if (found === undefined) throw new Error(`The database did not answer for the page ${keys[index]}`);
    yield cache.pageOf(found, limit);
  }
}

/** A text for values of filters. It is the same for the same values only, because no value of PostgreSQL contains NUL. */
function keyOf(filters: readonly Value[]): string {
  let key = '';
  for (const value of filters) key += value === null ? '\0-' : `\0=${value}`;
  return key;
}
