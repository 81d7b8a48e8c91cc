/** The command was interrupted. It leaves no partial result. */
class EndedError extends Error {
  readonly kind = 'conflict';

  constructor(signal: NodeJS.Signals) {
    super(`It was ended by ${signal}, and nothing is kept of it.`);
  }
}

/** Aborts when the user interrupts the command. */
export function interruption(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal ends the process immediately.
    process.once(signal, () => {
      ended.abort(new EndedError(signal));
    });
  }
  return ended.signal;
}
