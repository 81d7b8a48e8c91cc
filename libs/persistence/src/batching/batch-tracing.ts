/** Connects the traces of calls with the statements that they share. The implementation defines what a trace is. */
export interface BatchTracing<Origin = unknown> {
  /** The trace of the current call; read when the call arrives. */
  origin(): Origin;
  /** Runs a statement in a trace that refers to these traces. */
  trace<Result>(origins: readonly Origin[], statement: () => Promise<Result>): Promise<Result>;
}
