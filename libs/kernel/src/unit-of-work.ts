/** Runs work as one: all that it changed is durable when it is done, or nothing is (ADR 0013). */
export abstract class UnitOfWork {
  /**
   * Every repository that is called inside takes part. Work that is run inside of other work joins it: it commits, and is
   * undone, with the outer one. Where the database could not order concurrent units, the whole work is run again, a few
   * times: it should do nothing that can't be undone by the database.
   *
   * @returns what `work` resolves to, once it is durable
   * @throws what `work` throws, with everything undone
   * @throws an error of the kind `unavailable` where the database is away; its message tells where the outcome is unknown
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A mistake in the code of a caller: what it called belongs inside a {@link UnitOfWork}. */
export class OutsideUnitOfWorkError extends Error {
  /** @param what stands at the beginning of a sentence, such as the name of the method */
  constructor(what: string) {
    super(`${what} belongs inside a unit of work: call it in the function that UnitOfWork.run gets`);
  }
}
