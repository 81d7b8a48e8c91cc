/** Lets traces follow calls into the statements that they share. What a trace is, is for the one who implements it. */
export interface BatchTracing<Origin = unknown> {
  /** Where the current call comes from; asked when it arrives. */
  origin(): Origin;
  /** Runs the statement that serves the calls from these origins. */
  trace<Result>(origins: readonly Origin[], statement: () => Promise<Result>): Promise<Result>;
}
