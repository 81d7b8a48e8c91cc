import { SerializedPage } from '@animal-store/kernel';

/** The character between two rows of a text. JSON escapes it, so it is never part of a row. */
export const ROW_SEPARATOR = '\x1e';

/** All that was cached since the cache was last emptied, replaced texts included, in characters. Then it is emptied again. */
const MAX_CHARACTERS = 4_000_000;

/** The overhead of a cached text, counted as characters. */
const OVERHEAD = 500;

/** The rows after one position: every page that begins there is a part of them. */
export interface Rows {
  /** The rows as JSON with {@link ROW_SEPARATOR} between them. The first member of each is its `id`. */
  readonly text: string;
  /** The number of rows that were asked for; `text` has fewer if no more exist. */
  readonly size: number;
  /** The last snapshot in which PostgreSQL had these rows. */
  snapshot: string | null;
  /** The pages that were cut, by their limit. */
  readonly pages: Map<number, SerializedPage>;
}

/** Rows by position and filter, used again while PostgreSQL is in their snapshot: two statements in it see the same rows. */
export class PageCache {
  /** The latest snapshot that PostgreSQL reported; `null` before the first page, and on a standby. */
  snapshot: string | null = null;
  private readonly entries = new Map<string, Rows>();
  private characters = 0;

  /** The number of rows of the last text of this key, whatever its snapshot; 0 if there is none. */
  sizeOf(key: string): number {
    return this.entries.get(key)?.size ?? 0;
  }

  /** The rows of this key, if they are those of the latest snapshot and at least `size`. */
  find(key: string, size: number): Rows | undefined {
    const rows = this.entries.get(key);
    return rows !== undefined && rows.size >= size && rows.snapshot === this.snapshot ? rows : undefined;
  }

  /** @returns the cached rows if they are the same, so that pages and what is derived from them are not made again */
  keep(key: string, text: string, size: number): Rows {
    const { snapshot } = this;
    const before = this.entries.get(key);
    const rows = before?.text === text && before.size === size ? before : { text, size, snapshot, pages: new Map() };
    rows.snapshot = snapshot;
    if (rows === before || snapshot === null) return rows;
    this.grow(text.length);
    this.entries.set(key, rows);
    return rows;
  }

  /** The page of `limit` rows; the same object while the rows are cached. There must be more rows than `limit`, or all. */
  pageOf(rows: Rows, limit: number): SerializedPage {
    let page = rows.pages.get(limit);
    if (page !== undefined) return page;
    page = cut(rows.text, limit);
    // Many clients may cut large pages from one text: uncounted, they would let the cache grow beyond its limit.
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

function cut(text: string, limit: number): SerializedPage {
  const rows = text === '' ? [] : text.split(ROW_SEPARATOR);
  const last = rows.length > limit ? /^\{"id":(-?\d+)/.exec(rows[limit - 1] ?? '')?.[1] : undefined;
  return new SerializedPage(`[${rows.slice(0, limit).join(',')}]`, last === undefined ? undefined : BigInt(last));
}
