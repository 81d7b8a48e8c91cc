import { RenderedPage } from '@animal-store/pets-domain';

/**
 * Where one animal ends and the next begins. Inside a JSON string every quote is escaped, so these characters in this
 * order stand between animals alone.
 */
const BOUNDARY = '},{"id":';

const ID_AT = '{"id":'.length;

/** The animals after a position, rendered with commas between: every page that begins there is a part of it. */
export class PageText {
  private readonly pages = new Map<number, RenderedPage>();
  private starts: readonly number[] | undefined;

  /**
   * @param json the animals, without brackets
   * @param size how many were asked for: as many as that, or all there are
   */
  constructor(
    readonly json: string,
    readonly size: number,
  ) {}

  /** The page of this many animals; the same object each time. At least one animal more must have been asked for. */
  page(limit: number): RenderedPage {
    let page = this.pages.get(limit);
    if (page === undefined) {
      page = this.cut(limit);
      this.pages.set(limit, page);
    }
    return page;
  }

  private cut(limit: number): RenderedPage {
    this.starts ??= startsOf(this.json);
    const next = this.starts[limit];
    if (next === undefined) return new RenderedPage(`[${this.json}]`, undefined);
    const last = this.starts[limit - 1] ?? 0;
    const lastId = this.json.slice(last + ID_AT, this.json.indexOf(',', last + ID_AT));
    return new RenderedPage(`[${this.json.slice(0, next - 1)}]`, BigInt(lastId));
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
