import type { Answer, Call } from './call.js';
import { ApiError, reasonOf, UnreadableResponseError, type AnimalStoreError, type FailedCall } from './errors.js';
import { retryAfterOf } from './header-fields.js';
import { parseJson } from './json.js';

/** Why an attempt failed. If `retryAfter` is set, a retry is useful after at least this number of milliseconds. */
export interface Failure {
  readonly error: AnimalStoreError;
  readonly retryAfter?: number | undefined;
}

/** The service did not carry out the call, and may do so soon (408, 429, 503), or a proxy got no response (502, 504). */
const FOR_NOW = [408, 429, 502, 503, 504];

/** Interprets a complete response of this address. */
export function readResponse(
  call: Call,
  url: string,
  response: Response,
  text: string,
  sent: FailedCall,
): Answer | Failure {
  const { status, headers, ok } = response;
  const target = headers.get('location');
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && target !== null))
    return { error: unreadable(`redirects to ${target ?? 'an address that the browser hides'}: correct baseUrl`) };
  const wait = FOR_NOW.includes(status) ? (retryAfterOf(headers) ?? 0) : undefined;
  let value: unknown;
  try {
    value = parseJson(text, ok ? call.int64 : undefined);
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) return { error: unreadable(`is of another kind: ${reasonOf(fault)}`) };
    // If JSON ends too early, it was complete when the service sent it.
    const isCut = ok && /json/i.test(headers.get('content-type') ?? '');
    const error = unreadable(`${isCut ? 'is cut or broken' : 'is no JSON'}: ${reasonOf(fault)}`);
    return { error, retryAfter: isCut ? 0 : wait };
  }
  if (ok) {
    const isExpected = typeof value === 'object' && value !== null && Array.isArray(value) === (call.isList ?? false);
    return isExpected
      ? { value: value as object, status, headers, sent }
      : { error: unreadable(`is no ${call.isList ? 'list' : 'object'}`) };
  }
  const { code, message } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string')
    return { error: unreadable('is no error of the service'), retryAfter: wait };
  return { error: new ApiError(code, status, message, sent, retryAfterOf(headers)), retryAfter: wait };

  function unreadable(what: string): UnreadableResponseError {
    return new UnreadableResponseError(`The response of ${url} with status ${status} ${what}`, status, sent);
  }
}
