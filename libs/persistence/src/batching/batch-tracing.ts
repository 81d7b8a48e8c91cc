/** Lets traces follow calls into the statements that they share. What a trace is, is for the one who implements it. */
export interface BatchTracing<Origin = unknown> {
  /** Where the current call comes from; asked when it arrives. */
  origin(): Origin;
  /** Runs the statement that serves the calls from these origins. */
  trace<Result>(origins: readonly Origin[], statement: () => Promise<Result>): Promise<Result>;
}

let tracing: BatchTracing | undefined;

/** Traces the batches of this process from now on. As long as nobody asks for it, a call pays for a comparison. */
export function traceBatches(by: BatchTracing): void {
  tracing = by;
}

export function batchTracing(): BatchTracing | undefined {
  return tracing;
}
