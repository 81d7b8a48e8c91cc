/** Waits and time limits. Times are in milliseconds. */

/** The longest wait before the second attempt, and before any later attempt, if the service asks for no wait. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4_000;

/** The longest delay of a timer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The wait before the next attempt: between half and all of an interval that doubles with each attempt. The random part keeps
 * clients that failed together from retrying together. If the service asks for a wait, this is added to it.
 *
 * @param attempts the number of attempts so far
 * @param random a number from 0 to 1
 */
export function waitAfter(attempts: number, retryAfter = 0, random = Math.random()): number {
  return retryAfter + ((1 + random) / 2) * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}

/**
 * Does work within a time limit, also if the work ignores its signal.
 *
 * @param work gets a signal that aborts as soon as nobody waits for the work any more
 * @returns what the work returns, or `late` if the time is over
 * @throws the reason of the given signal, if it aborts before
 */
export async function within<Result>(
  limit: number,
  late: Result,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let cleanUp: (() => void) | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      const stop = () => {
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(resolve, Math.min(limit, LONGEST_TIMER), late);
      signal?.addEventListener('abort', stop);
      cleanUp = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      };
      if (signal?.aborted) stop();
      else work(controller.signal).then(resolve, reject);
    });
  } finally {
    cleanUp?.();
    controller.abort();
  }
}

/** Resolves after the delay. Rejects with the reason of the signal if the signal aborts first. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await within(milliseconds, undefined, signal, () => new Promise<undefined>(() => undefined));
}
