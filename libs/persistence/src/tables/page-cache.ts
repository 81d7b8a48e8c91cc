import { CachedPage } from './cached-page.js';

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
