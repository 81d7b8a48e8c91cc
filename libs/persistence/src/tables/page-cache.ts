import { SerializedPage } from '@animal-store/kernel';
import { ROW_SEPARATOR } from './table.statements.js';

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
