import { parseHttpDate } from './http-date.js';

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

/**
 * The wait that `Retry-After` asks for. The value is seconds or a date (RFC 9110, section 10.2.3). A date is compared with the
 * `Date` of the response, or with the local clock if the response has no `Date`. The result is `undefined` if the header
 * field is missing or invalid.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const wait = parseHttpDate(text) - (parseHttpDate(headers.get('date')) || now);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
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
