/** Lets so much work of one kind be done in each turn of the event loop, in the order in which it was asked for. */
export class TurnLimiter {
  private readonly waiting: (() => void)[] = [];

  /** @param perTurn how many may go on in one turn */
  constructor(private readonly perTurn: number) {}

  /** Resolves when it is the caller's turn, in another turn of the event loop than this one. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    setImmediate(() => {
      for (const goOn of this.waiting.splice(0, this.perTurn)) goOn();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
