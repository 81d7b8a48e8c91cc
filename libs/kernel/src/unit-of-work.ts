/** Runs work atomically: all its changes are committed, or none (ADR 0013). */
export abstract class UnitOfWork {
  /**
   * Every repository that `work` calls takes part, and a nested unit of work joins the outer one. After a serialization failure
   * or a deadlock `work` is repeated, a few times, so it should have no effects that the database cannot roll back.
   *
   * @returns the result of `work`, after the commit
   * @throws the error of `work`, after the rollback; or, if the database cannot be reached, one of kind `unavailable`, whose
   * message says if the outcome is unknown
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A programming error: the method must be called inside a {@link UnitOfWork}. */
export class OutsideUnitOfWorkError extends Error {
  /** @param what the subject of the message, such as the name of the method */
  constructor(what: string) {
    super(`${what} belongs inside a unit of work: call it in the function that UnitOfWork.run gets`);
  }
}
