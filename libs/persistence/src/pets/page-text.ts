import { SerializedPage } from '@animal-store/kernel';

/**
 * Where one animal ends and the next begins. Inside a JSON string every quote is escaped, so these characters in this
 * order stand between animals alone.
 */
const BOUNDARY = '},{"id":';

const ID_AT = '{"id":'.length;

/** How many characters of pages that were cut out are kept: more than a hundred pages of common animals. */
const MAX_CUT = 1_000_000;

/** The animals after a position, rendered with commas between: every page that begins there is a part of it. */
export class PageText {
  private readonly pages = new Map<number, SerializedPage>();
  private starts: readonly number[] | undefined;
  private cutCharacters = 0;

  /**
   * @param json the animals, without brackets
   * @param size how many were asked for: as many as that, or all there are
   */
  constructor(
    readonly json: string,
    readonly size: number,
  ) {}

  /** The page of this many animals; the same object while it is kept. At least one animal more must have been asked for. */
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
    if (next === undefined) return new SerializedPage(`[${this.json}]`, undefined);
    const last = this.starts[limit - 1] ?? 0;
    const lastId = this.json.slice(last + ID_AT, this.json.indexOf(',', last + ID_AT));
    return new SerializedPage(`[${this.json.slice(0, next - 1)}]`, BigInt(lastId));
  }
}

/** Where each animal starts. */
function startsOf(json: string): number[] {
  if (json === '') return [];
  const starts = [0];
  for (let at = json.indexOf(BOUNDARY); at !== -1; at = json.indexOf(BOUNDARY, at + BOUNDARY.length))
    starts.push(at + 2);
  return starts;
}
