import { ReadModel, Serialized, type Cancellation, type PageQuery, type SerializedPage } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import type { SqlExecutor, Value } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { CachedPage, PageCache } from './page-cache.js';
import { columnsOf, type TableSql } from './table-sql.js';

/** The page that requests of one batch want after one position, with the same filters. */
interface Wanted {
  readonly key: string;
  readonly filters: readonly Value[];
  readonly afterId: bigint;
  size: number;
}

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
  private readonly cache = new PageCache();

  constructor(
    private readonly table: TableSql,
    private readonly executor: SqlExecutor,
    private readonly transaction: Pick<CurrentTransaction, 'statements'>,
    limits: BatchingLimits,
  ) {
    super();
    this.byId = new Batcher({ ...limits, writes: false, run: (ids) => this.readRows(this.executor, ids) });
    this.pages = new Batcher({ ...limits, writes: false, run: (queries) => this.readPages(queries) });
  }

  override findById(id: bigint, signal?: Cancellation): Promise<Serialized | undefined> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.byId.submit(id, signal);
    return onDatabase(() => this.readRows(statements, [id])).then(([row]) => row);
  }

  override findPage(query: PageQuery & Filter, signal?: Cancellation): Promise<SerializedPage> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.pages.submit(query, signal);
    return onDatabase(() => this.readPage(statements, query));
  }

  private async readRows(executor: SqlExecutor, ids: readonly bigint[]): Promise<(Serialized | undefined)[]> {
    const asText = ids.map(String);
    const rows = await executor.run(this.table.statements.find, [asText]);
    const found = new Map(rows.map(([id, json]) => [String(id), new Serialized(json as string)]));
    return asText.map((id) => found.get(id));
  }

  private async readPage(executor: SqlExecutor, query: PageQuery & Filter): Promise<SerializedPage> {
    const { limit, afterId = this.table.firstPage } = query;
    const filters = this.table.filtersOf(query).map((value) => [value]);
    const values = [[String(afterId)], [limit + 1], [false], null, ...filters];
    const [row] = await executor.run(this.table.statements.pages, values);
    return new CachedPage((row?.[2] ?? '') as string, limit + 1).page(limit);
  }

  private async readPages(queries: readonly (PageQuery & Filter)[]): Promise<SerializedPage[]> {
    const wanted = new Map<string, Wanted>();
    const keys = queries.map((query) => {
      const filters = this.table.filtersOf(query);
      const { afterId = this.table.firstPage, limit } = query;
      const key = `${afterId}${keyOf(filters)}`;
      const known = wanted.get(key);
      // One row more than the largest page tells whether another page follows. A cached page is compared at its own size.
      const size = Math.max(limit + 1, known?.size ?? this.cache.sizeOf(key));
      if (known === undefined) wanted.set(key, { key, filters, afterId, size });
      else known.size = size;
      return key;
    });
    const pages = await this.readWanted([...wanted.values()]);
    return queries.map((query, index) => {
      const page = pages.get(keys[index] ?? '');
      if (page === undefined) throw new Error(`The database did not answer for the page ${keys[index]}`);
      return page.page(query.limit);
    });
  }

  private async readWanted(wanted: readonly Wanted[]): Promise<Map<string, CachedPage>> {
    // The statement compares with this snapshot. While it runs, another batch may change the cache.
    const { snapshot: latest } = this.cache;
    const cached = wanted.map(({ key, size }) => this.cache.find(latest, key, size));
    const rows = await this.executor.run(this.table.statements.pages, [
      wanted.map(({ afterId }) => String(afterId)),
      wanted.map(({ size }) => size),
      cached.map((page) => page !== undefined),
      latest,
      ...columnsOf(wanted.map(({ filters }) => filters)),
    ]);

    const snapshot = (rows[0]?.[1] ?? null) as string | null;
    const pages = new Map<string, CachedPage>();
    for (const [position, , json] of rows) {
      const index = Number(position) - 1;
      const want = wanted[index];
      if (want === undefined) continue;
      const unchanged = snapshot === latest ? cached[index] : undefined;
      pages.set(want.key, unchanged ?? this.cache.pageOf(want.key, (json ?? '') as string, want.size));
    }
    this.cache.add(snapshot, pages);
    return pages;
  }
}

/** A text for values of filters. It is the same for the same values only, because no value of PostgreSQL contains NUL. */
function keyOf(filters: readonly Value[]): string {
  let key = '';
  for (const value of filters) key += value === null ? '\0-' : `\0=${value}`;
  return key;
}
