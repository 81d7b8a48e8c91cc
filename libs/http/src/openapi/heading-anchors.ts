/** The anchors of the headings of one page, the same as on GitHub, so that a link works in both places. */
export class HeadingAnchors {
  private readonly taken = new Map<string, number>();

  next(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const before = this.taken.get(anchor);
    this.taken.set(anchor, (before ?? 0) + 1);
    return before === undefined ? anchor : `${anchor}-${before}`;
  }
}
