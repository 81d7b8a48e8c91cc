import {
  INT64_MIN,
  ReadModel,
  Serialized,
  type Cancellation,
  type PageQuery,
  type SerializedPage,
} from '@animal-store/kernel';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { onDatabase } from '../database-errors.js';
import type { SqlExecutor, Value } from '../sql-executor.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';
import { CachedPage } from './cached-page.js';
import type { TableSql } from './table-sql.js';

/** A page without `afterId` comes after every id there could be. */
const BEFORE_ALL = INT64_MIN;

/** From how many positions pages are kept at most. What is kept of each is bounded by {@link CachedPage}. */
const MAX_KEPT = 32;

/** A page as it was last read, and the snapshot that it was read in. */
interface Kept {
  readonly snapshot: string;
  readonly text: CachedPage;
}

/** The pages that calls of one batch want from one position, under one filter. */
interface Wanted {
  readonly key: string;
  readonly filter: Value;
  readonly afterId: bigint;
  size: number;
}

/**
 * A table as JSON text, rendered by PostgreSQL, with the round trips shared between the requests that wait.
 *
 * A page is kept with the snapshot that it was rendered in. It is used again only when a statement that started after
 * the request arrived finds itself in the very same snapshot: the rows are then the same, and need not be sent again.
 * Where they were sent again and turn out the same, what was worked out from them before is used again.
 *
 * Inside a transaction, which sees what nobody else does, a call runs alone on its connection, and nothing is kept of it.
 */
export class TableReadModel<Filter extends object> extends ReadModel<Filter> {
  readonly byId: Batcher<bigint, Serialized | undefined>;
  readonly pages: Batcher<PageQuery & Filter, SerializedPage>;
  private readonly kept = new Map<string, Kept>();
  private latestSnapshot: string | null = null;

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
    const { limit, afterId = BEFORE_ALL } = query;
    const values = [[this.table.filterOf(query)], [String(afterId)], [limit + 1], [false], null];
    const [row] = await executor.run(this.table.statements.pages, values);
    return new CachedPage((row?.[2] ?? '') as string, limit + 1).page(limit);
  }

  private async readPages(queries: readonly (PageQuery & Filter)[]): Promise<SerializedPage[]> {
    const wanted = new Map<string, Wanted>();
    const keys = queries.map((query) => {
      const filter = this.table.filterOf(query);
      const { afterId, limit } = query;
      const key = `${filter === null ? '' : `=${filter}`}/${afterId ?? ''}`;
      const known = wanted.get(key);
      // One more than the largest page shows, to know whether more follow. As many as before, to compare with.
      const size = Math.max(limit + 1, (known ?? this.kept.get(key)?.text)?.size ?? 0);
      if (known === undefined) wanted.set(key, { key, filter, afterId: afterId ?? BEFORE_ALL, size });
      else known.size = size;
      return key;
    });
    const texts = await this.readTexts([...wanted.values()]);
    return queries.map((query, index) => {
      const text = texts.get(keys[index] ?? '');
      if (text === undefined) throw new Error(`The database did not answer for the page ${keys[index]}`);
      return text.page(query.limit);
    });
  }

  private async readTexts(wanted: readonly Wanted[]): Promise<Map<string, CachedPage>> {
    // What the statement compares with; there may be other ones by the time it is back.
    const latest = this.latestSnapshot;
    const kept = wanted.map(({ key, size }) => this.keptIn(latest, key, size));
    const rows = await this.executor.run(this.table.statements.pages, [
      wanted.map(({ filter }) => filter),
      wanted.map(({ afterId }) => String(afterId)),
      wanted.map(({ size }) => size),
      kept.map((text) => text !== undefined),
      latest,
    ]);

    const snapshot = (rows[0]?.[1] ?? null) as string | null;
    const texts = new Map<string, CachedPage>();
    for (const [position, , json] of rows) {
      const index = Number(position) - 1;
      const want = wanted[index];
      if (want === undefined) continue;
      const unchanged = snapshot === latest ? kept[index] : undefined;
      texts.set(want.key, unchanged ?? this.textOf(want, (json ?? '') as string));
    }
    this.keep(snapshot, texts);
    return texts;
  }

  /** The page that was read in this snapshot, if it is kept. */
  private keptIn(snapshot: string | null, key: string, size: number): CachedPage | undefined {
    const kept = this.kept.get(key);
    return kept?.snapshot === snapshot && kept.text.size >= size ? kept.text : undefined;
  }

  /** The text, as the same object as before if it is the same text: its pages need not be cut out and tagged anew. */
  private textOf({ key, size }: Wanted, json: string): CachedPage {
    const before = this.kept.get(key)?.text;
    return before?.json === json && before.size === size ? before : new CachedPage(json, size);
  }

  private keep(snapshot: string | null, texts: ReadonlyMap<string, CachedPage>): void {
    this.latestSnapshot = snapshot;
    if (snapshot === null) return;
    for (const [key, text] of texts) {
      if (this.kept.size >= MAX_KEPT && !this.kept.has(key)) this.kept.clear();
      this.kept.set(key, { snapshot, text });
    }
  }
}
