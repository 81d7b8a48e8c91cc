/** The result of one request: a response, a part of a response, or nothing. Only a complete response has a `text`. */
export interface Exchange {
  readonly response?: Response;
  readonly text?: string;
  /** Why there is no text. */
  readonly cause?: unknown;
  readonly isTimeout?: boolean;
}

/** The longest delay of a timer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Sends one request and reads the complete response.
 *
 * @param prepare makes the request
 * @param limit the time limit for `prepare`, the request and the response together, in milliseconds
 * @throws the reason of the signal, if the signal aborts the request, and whatever `prepare` throws
 */
export function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  prepare: () => Promise<RequestInit>,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  const controller = new AbortController();
  const request = async (): Promise<Exchange> => {
    const init = await prepare();
    controller.signal.throwIfAborted();
    let response: Response;
    try {
      // A redirect could turn a POST into a GET and send the key to another server.
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
  // The timer and the signal are also handled here, because the given fetch may ignore signals.
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
