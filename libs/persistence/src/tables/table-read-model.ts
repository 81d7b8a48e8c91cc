import { ReadModel, Serialized, SerializedPage, type PageQuery } from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../errors/unavailability.js';
import type { SqlExecutor, Value } from '../sql/sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { columnsOf, ROW_SEPARATOR, type TableSql } from './table-sql.js';

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

  override findById(id: bigint): Promise<Serialized | undefined> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.byId.submit(id);
    return onDatabase(() => this.readRows(statements, [id])).then(([row]) => row);
  }

  override findPage(query: PageQuery & Filter): Promise<SerializedPage> {
    const { statements } = this.transaction;
    if (statements === undefined) return this.pages.submit(query);
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

/** The number of positions whose pages are cached. {@link CachedPage} bounds the size of each. */
const MAX_PAGES = 32;

/** A page, and the snapshot in which PostgreSQL rendered it. */
interface Entry {
  readonly snapshot: string;
  readonly page: CachedPage;
}

/**
 * The cache of rendered pages, by filter and position. A page is used again only if PostgreSQL is still in the snapshot in which
 * it was rendered: its rows are then the same.
 */
export class PageCache {
  /** The latest snapshot that PostgreSQL reported; `null` before the first page, and on a standby. */
  snapshot: string | null = null;
  private readonly entries = new Map<string, Entry>();

  /** The number of rows of the last page of this key, whatever its snapshot; 0 if there is none. */
  sizeOf(key: string): number {
    return this.entries.get(key)?.page.size ?? 0;
  }

  /** The page of this key, if it was rendered in this snapshot and has at least `size` rows. */
  find(snapshot: string | null, key: string, size: number): CachedPage | undefined {
    const entry = this.entries.get(key);
    return entry?.snapshot === snapshot && entry.page.size >= size ? entry.page : undefined;
  }

  /** @returns the cached page if its text is the same, so that its parts and entity tags are not computed again */
  pageOf(key: string, json: string, size: number): CachedPage {
    const before = this.entries.get(key)?.page;
    return before?.json === json && before.size === size ? before : new CachedPage(json, size);
  }

  /** @param snapshot the snapshot in which PostgreSQL rendered the pages */
  add(snapshot: string | null, pages: ReadonlyMap<string, CachedPage>): void {
    this.snapshot = snapshot;
    if (snapshot === null) return;
    for (const [key, page] of pages) {
      if (this.entries.size >= MAX_PAGES && !this.entries.has(key)) this.entries.clear();
      this.entries.set(key, { snapshot, page });
    }
  }
}

const ID_AT = '{"id":'.length;

/** The total length of the cached parts, in characters: more than a hundred pages of usual rows. */
const MAX_CUT = 1_000_000;

/** The rows after a position, as PostgreSQL rendered them. Every page that begins there is a part of them. */
export class CachedPage {
  private readonly pages = new Map<number, SerializedPage>();
  private starts: readonly number[] | undefined;
  private cutCharacters = 0;

  /**
   * @param json the rows, separated by {@link ROW_SEPARATOR}
   * @param size the number of rows that were requested; `json` has fewer if no more exist
   */
  constructor(
    readonly json: string,
    readonly size: number,
  ) {}

  /** The page of `limit` rows; the same object while it is cached. `size` must be greater than `limit`. */
  page(limit: number): SerializedPage {
    return this.pages.get(limit) ?? this.keep(limit, this.cut(limit));
  }

  private keep(limit: number, page: SerializedPage): SerializedPage {
    this.cutCharacters += page.text.length;
    if (this.cutCharacters > MAX_CUT) {
      this.pages.clear();
      this.cutCharacters = page.text.length;
    }
    this.pages.set(limit, page);
    return page;
  }

  private cut(limit: number): SerializedPage {
    this.starts ??= startsOf(this.json);
    const next = this.starts[limit];
    if (next === undefined) return new SerializedPage(arrayOf(this.json), undefined);
    const last = this.starts[limit - 1] ?? 0;
    const [lastId = ''] = /^-?\d+/.exec(this.json.slice(last + ID_AT, next)) ?? [];
    return new SerializedPage(arrayOf(this.json.slice(0, next - 1)), BigInt(lastId));
  }
}

function arrayOf(rows: string): string {
  return `[${rows.replaceAll(ROW_SEPARATOR, ',')}]`;
}

/** The index at which each row starts. */
function startsOf(json: string): number[] {
  if (json === '') return [];
  const starts = [0];
  for (let at = json.indexOf(ROW_SEPARATOR); at !== -1; at = json.indexOf(ROW_SEPARATOR, at + 1)) starts.push(at + 1);
  return starts;
}
