import { SerializedPage } from '@animal-store/kernel';
import { ROW_SEPARATOR } from './table.statements.js';

const ID_AT = '{"id":'.length;

/** How many characters of pages that were cut out are kept: more than a hundred pages of common rows. */
const MAX_CUT = 1_000_000;

/** The rows after a position, as PostgreSQL rendered them: every page that begins there is a part of it. */
export class CachedPage {
  private readonly pages = new Map<number, SerializedPage>();
  private starts: readonly number[] | undefined;
  private cutCharacters = 0;

  /**
   * @param json the rows, with {@link ROW_SEPARATOR} between them
   * @param size how many were asked for: as many as that, or all there are
   */
  constructor(
    readonly json: string,
    readonly size: number,
  ) {}

  /** The page of this many rows; the same object while it is kept. At least one row more must have been asked for. */
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

/** Where each row starts. */
function startsOf(json: string): number[] {
  if (json === '') return [];
  const starts = [0];
  for (let at = json.indexOf(ROW_SEPARATOR); at !== -1; at = json.indexOf(ROW_SEPARATOR, at + 1)) starts.push(at + 1);
  return starts;
}
