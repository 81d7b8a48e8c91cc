/** Runs work atomically: all its changes are committed, or none (ADR 0013). */
export abstract class UnitOfWork {
  /**
   * Every repository that `work` calls takes part. A nested unit of work joins the outer one, and commits or rolls back with it.
   * After a serialization failure or a deadlock the whole work is repeated, a few times. So `work` should have no effects that
   * the database cannot roll back: those belong into {@link afterCommit}.
   *
   * @returns the result of `work`, after the commit
   * @throws the error of `work`, after the rollback
   * @throws an error of the kind `unavailable` if the database cannot be reached; its message says if the outcome is unknown
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` once, after the commit of the current unit of work, and outside of it: for events, mails, changes of caches. It
   * never runs for a unit that was rolled back, runs again, or has an unknown outcome. It is lost if the process ends before.
   * `run` resolves when `work` is done. An error of `work` is logged and has no other effect. Outside of a unit, `work` runs at
   * once.
   */
  abstract afterCommit(work: () => void | Promise<void>): void;
}

/** A programming error: the method must be called inside a {@link UnitOfWork}. */
export class OutsideUnitOfWorkError extends Error {
  /** @param what the subject of the message, such as the name of the method */
  constructor(what: string) {
    super(`${what} belongs inside a unit of work: call it in the function that UnitOfWork.run gets`);
  }
}
