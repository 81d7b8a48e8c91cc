import { SerializedPage } from '@animal-store/kernel';
import { ROW_SEPARATOR } from './table-sql.js';

/** The rows after a position, as PostgreSQL rendered them. Every page that begins there is a part of them. */
export interface Rows {
  /** The rows, separated by {@link ROW_SEPARATOR}. */
  readonly json: string;
  /** The number of rows that were requested; `json` has fewer if no more exist. */
  readonly size: number;
  /** The last snapshot in which PostgreSQL had these rows. */
  snapshot: string | null;
  /** The pages that were cut, by their limit. */
  readonly pages: Map<number, SerializedPage>;
}

/** The size of what is cached, in characters: the pages of a usual catalogue several times. */
const MAX_CHARACTERS = 4_000_000;

/** What a cached text takes beside its characters, counted as characters. */
const OVERHEAD = 500;

/**
 * The cache of rendered pages, by filter and position. A page is used again only if PostgreSQL is still in the snapshot in which
 * it was rendered: its rows are then the same. All is forgotten when the texts become too many.
 */
export class PageCache {
  /** The latest snapshot that PostgreSQL reported; `null` before the first page, and on a standby. */
  snapshot: string | null = null;
  private readonly entries = new Map<string, Rows>();
  /** The size of all that was cached since the cache was empty. */
  private characters = 0;

  /** The number of rows of the last page of this key, whatever its snapshot; 0 if there is none. */
  sizeOf(key: string): number {
    return this.entries.get(key)?.size ?? 0;
  }

  /** The rows of this key, if they are those of the latest snapshot and at least `size`. */
  find(key: string, size: number): Rows | undefined {
    const rows = this.entries.get(key);
    if (rows === undefined || rows.size < size) return undefined;
    return rows.snapshot === this.snapshot ? rows : undefined;
  }

  /**
   * Caches what PostgreSQL rendered, unless it has no snapshot.
   *
   * @returns the cached rows if they are the same, so that pages and what is derived from them are not made again
   */
  keep(key: string, json: string, size: number): Rows {
    const { snapshot } = this;
    const before = this.entries.get(key);
    const rows = before?.json === json && before.size === size ? before : { json, size, snapshot, pages: new Map() };
    rows.snapshot = snapshot;
    if (rows === before || snapshot === null) return rows;
    this.grow(json.length);
    this.entries.set(key, rows);
    return rows;
  }

  /** The page of `limit` rows; the same object while the rows are cached. There must be more rows than `limit`, or all. */
  pageOf(rows: Rows, limit: number): SerializedPage {
    const before = rows.pages.get(limit);
    if (before !== undefined) return before;
    const page = cut(rows.json, limit);
    this.grow(page.text.length);
    rows.pages.set(limit, page);
    return page;
  }

  private grow(characters: number): void {
    if (this.characters + characters + OVERHEAD > MAX_CHARACTERS) {
      this.entries.clear();
      this.characters = 0;
    }
    this.characters += characters + OVERHEAD;
  }
}

const ID_AT = '{"id":'.length;

function cut(json: string, limit: number): SerializedPage {
  let [last, end] = [0, -1];
  for (let row = 0; row < limit; row += 1) {
    last = end + 1;
    end = json.indexOf(ROW_SEPARATOR, last);
    if (end === -1) return new SerializedPage(arrayOf(json), undefined);
  }
  const [lastId = ''] = /^-?\d+/.exec(json.slice(last + ID_AT, end)) ?? [];
  return new SerializedPage(arrayOf(json.slice(0, end)), BigInt(lastId));
}

function arrayOf(rows: string): string {
  return `[${rows.replaceAll(ROW_SEPARATOR, ',')}]`;
}
