/** What came of one request: an answer, a part of one, or nothing. Only a whole answer has a `text`. */
export interface Exchange {
  readonly response?: Response;
  readonly text?: string;
  /** Why there is no text. */
  readonly cause?: unknown;
  readonly isTimeout?: boolean;
}

/** The longest time that a timer can wait. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Sends one request and reads its whole answer.
 *
 * @param limit for both together, in milliseconds
 * @throws the reason of the signal, where that ends it
 */
export function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  const controller = new AbortController();
  const request = async (): Promise<Exchange> => {
    let response: Response;
    try {
      // A redirection would make a GET of a POST, and take the key elsewhere.
      response = await fetch(url, { ...init, redirect: 'manual', credentials: 'omit', signal: controller.signal });
    } catch (cause) {
      return { cause };
    }
    try {
      return { response, text: await response.text() };
    } catch (cause) {
      return { response, cause };
    }
  };
  let cleanUp: (() => void) | undefined;
  // Not left to fetch alone, which may be one that knows no signals.
  return new Promise<Exchange>((resolve, reject) => {
    const stop = () => {
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(resolve, Math.min(limit, LONGEST_TIMER), { isTimeout: true });
    signal?.addEventListener('abort', stop);
    cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      controller.abort();
    };
    request().then(resolve, reject);
  }).finally(() => cleanUp?.());
}
