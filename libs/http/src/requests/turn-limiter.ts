/** Limits how much work of one kind is done in each turn of the event loop. Work is done in the order of the calls. */
export class TurnLimiter {
  private readonly waiting: (() => void)[] = [];

  /** @param perTurn the number of callers that may continue in one turn */
  constructor(private readonly perTurn: number) {}

  /** Resolves when the caller may continue, always in a later turn of the event loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    setImmediate(() => {
      for (const resume of this.waiting.splice(0, this.perTurn)) resume();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
