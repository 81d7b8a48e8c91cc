/** Decides when a call is retried. Times are in milliseconds. */

/** The longest wait before the second attempt, and before any later attempt, if the service asks for no wait. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/**
 * The wait before the next attempt: a random part of an interval that doubles with each attempt ("full jitter"). Clients that
 * failed together therefore do not retry together. If the service asks for a wait, the random part is added to it.
 *
 * @param attempts the number of attempts so far
 * @param random a number from 0 to 1
 */
export function waitAfter(attempts: number, retryAfter = 0, random = Math.random()): number {
  return retryAfter + random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}

/** Resolves after the delay. Rejects with the reason of the signal if the signal aborts first. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
