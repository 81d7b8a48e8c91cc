import type { Answer, Call } from './call.js';
import { ApiError, printable, UnreadableResponseError, type AnimalStoreError, type FailedCall } from './errors.js';
import type { operations } from './generated/openapi.js';
import { parseJson } from './json.js';
import { retryAfterOf } from './header-fields.js';

/** Why an attempt failed. If `retryAfter` is set, a retry is useful after at least this number of milliseconds. */
export interface Failure {
  readonly error: AnimalStoreError;
  readonly retryAfter?: number | undefined;
}

type Status<Operation> = Operation extends { responses: infer Responses } ? keyof Responses : never;

/** With these statuses the service says that it did not carry out the call, and that a retry may succeed soon. */
const REFUSED_FOR_NOW = [408, 429, 503] as const satisfies Status<operations['createPet' | 'listPets' | 'getPet']>[];

/** With these statuses a proxy says that it got no response from the service. */
const LOST_BEHIND_A_PROXY = [502, 504];

/** Interprets a complete response. */
export function readResponse(
  call: Call,
  url: string,
  response: Response,
  text: string,
  sent: FailedCall,
): Answer | Failure {
  const { status, headers, ok } = response;
  if (status === 304 && call.revalidate !== undefined) return { value: call.revalidate, url, status, headers, sent };
  const target = headers.get('location');
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && target !== null))
    return { error: unreadable(`redirects to ${target ?? 'an address that the browser hides'}: correct baseUrl`) };
  const isForNow = [...REFUSED_FOR_NOW, ...LOST_BEHIND_A_PROXY].includes(status);
  const wait = isForNow ? (retryAfterOf(headers) ?? 0) : undefined;
  let value: unknown;
  try {
    value = parseJson(text, ok ? call.int64 : undefined);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) return { error: unreadable('is of another kind', cause), retryAfter: wait };
    // The message of the engine repeats a piece of the text.
    cause.message = printable(cause.message);
    // If JSON ends too early, it was complete when the service sent it.
    const isCut = ok && /json/i.test(headers.get('content-type') ?? '');
    const error = unreadable(isCut ? 'is cut or broken' : 'is no JSON', cause);
    return { error, retryAfter: isCut ? 0 : wait };
  }
  if (ok) {
    const isExpected = typeof value === 'object' && value !== null && Array.isArray(value) === (call.isList ?? false);
    return isExpected
      ? { value: value as object, url, status, headers, sent }
      : { error: unreadable('is of another kind') };
  }
  const { code, message } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string')
    return { error: unreadable('is no error of the service'), retryAfter: wait };
  return { error: new ApiError(code, status, message, sent, retryAfterOf(headers)), retryAfter: wait };

  function unreadable(what: string, cause?: unknown): UnreadableResponseError {
    return new UnreadableResponseError(`The response with status ${status} ${what}`, status, sent, cause);
  }
}
