import { SerializedPage } from '@animal-store/kernel';
import { ROW_SEPARATOR } from './find-pages.statement.js';

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
