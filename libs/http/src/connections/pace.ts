/**
 * Lets so many bytes pass in a period, so that what may be slow does not keep others waiting. What finds no room in this
 * period passes in a later one, first come, first served.
 */
export class Pace {
  private readonly waiting = new Map<() => void, number>();
  private left: number;
  private period: NodeJS.Timeout | undefined;

  /**
   * @param bytes in each period; the last to pass may exceed them
   * @param periodMs the length of a period, in milliseconds
   */
  constructor(
    private readonly bytes: number,
    private readonly periodMs: number,
  ) {
    this.left = bytes;
  }

  /**
   * Whether so many bytes pass at once. Otherwise they pass later, unless they leave before.
   *
   * @param pass called when the bytes pass later
   */
  passes(bytes: number, pass: () => void): boolean {
    this.period ??= setTimeout(this.beginPeriod, this.periodMs).unref();
    if (this.left <= 0) {
      this.waiting.set(pass, bytes);
      return false;
    }
    this.left -= bytes;
    return true;
  }

  /** Must be called when nobody needs the bytes any more that would pass later. */
  leave(pass: () => void): void {
    this.waiting.delete(pass);
  }

  private readonly beginPeriod = (): void => {
    this.left = this.bytes;
    this.period = this.waiting.size > 0 ? setTimeout(this.beginPeriod, this.periodMs).unref() : undefined;
    for (const [pass, bytes] of this.waiting) {
      if (this.left <= 0) return;
      this.waiting.delete(pass);
      this.left -= bytes;
      pass();
    }
  };
}
