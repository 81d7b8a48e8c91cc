import { parseHttpDate } from './http-date.js';

/** When a call is sent again. Times are in milliseconds. */

/** The longest wait before the second attempt, and before any attempt, where the service asks for none. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/**
 * How long to wait before the next attempt: a random part of a span that doubles with each one ("full jitter"), so that
 * clients that failed together do not come back together; after the time that the service asks for, where it does.
 *
 * @param attempts how many were made
 * @param random from 0 to 1
 */
export function waitAfter(attempts: number, retryAfter = 0, random = Math.random()): number {
  return retryAfter + random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}

/**
 * What `Retry-After` asks for: seconds, or a date (RFC 9110, section 10.2.3), which is compared with the clock of the
 * service where the answer tells it. `undefined` where it says nothing that makes sense.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const wait = parseHttpDate(text) - (parseHttpDate(headers.get('date')) || now);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Resolves after a while. Rejects with the reason of the signal when that comes first. */
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
