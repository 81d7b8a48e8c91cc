/** The result of one request: a complete response, or what is missing. */
export type Exchange =
  | { readonly response: Response; readonly text: string }
  | { readonly fault: 'timeout' }
  | { readonly fault: 'no response'; readonly cause: unknown }
  | { readonly fault: 'cut'; readonly response: Response; readonly cause: unknown }
  | { readonly fault: 'too large'; readonly response: Response };

/** The longest delay of a timer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The largest body in bytes, after decompression: without a limit a few compressed bytes could fill the memory. */
export const LARGEST_BODY = 16 * 2 ** 20;

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
      return { fault: 'no response', cause };
    }
    try {
      const text = await textOf(response);
      return text === undefined ? { fault: 'too large', response } : { response, text };
    } catch (cause) {
      return { fault: 'cut', response, cause };
    }
  };
  let cleanUp: (() => void) | undefined;
  // The timer and the signal are also handled here, because the given fetch may ignore signals.
  return new Promise<Exchange>((resolve, reject) => {
    const stop = () => {
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(resolve, Math.min(limit, LONGEST_TIMER), { fault: 'timeout' });
    signal?.addEventListener('abort', stop);
    cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      controller.abort();
    };
    request().then(resolve, reject);
  }).finally(() => cleanUp?.());
}

/** The text of the body, or `undefined` if it is larger than {@link LARGEST_BODY}. */
async function textOf({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return text + decoder.decode();
    bytes += chunk.value.length;
    if (bytes > LARGEST_BODY) return undefined;
    text += decoder.decode(chunk.value, { stream: true });
  }
}
