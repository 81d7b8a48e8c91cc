import {
  AbortedError,
  ApiError,
  NetworkError,
  printable,
  reasonOf,
  TimeoutError,
  UnreadableResponseError,
  type AnimalStoreError,
  type FailedCall,
} from './errors.js';
import { retryAfterOf } from './header-fields.js';
import { parse } from './json.js';
import { newId } from './new-id.js';
import { authorizationOf, baseOf, limitsOf, type CallOptions, type ClientOptions } from './options.js';
import { sleep, waitAfter, within } from './waiting.js';

/** One call of an operation. */
export interface Call<Value> {
  /** As in the OpenAPI document, for example `GET /pets/{petId}`. */
  readonly operation: string;
  /** The value that replaces `{petId}`. */
  readonly id?: string;
  readonly query?: string;
  /** The body as JSON. */
  readonly body?: string;
  readonly idempotencyKey?: string;
  /** Whether this is what the operation returns. */
  readonly isExpected: (value: unknown) => value is Value;
  readonly options: CallOptions;
}

export interface Answer<Value> {
  /** The parsed JSON of the body. */
  readonly value: Value;
  readonly status: number;
  readonly headers: Headers;
  /** The facts about the call for an error that is found later. */
  readonly sent: FailedCall;
}

/** Why an attempt failed. If `retryAfter` is set, a retry is useful after at least this number of milliseconds. */
interface Failure {
  readonly error: AnimalStoreError;
  readonly retryAfter?: number | undefined;
}

/** Sends a call. Retries it if a retry is safe and useful. @throws AnimalStoreError */
export type Send = <Value>(call: Call<Value>) => Promise<Answer<Value>>;

/** The call failed for now: the service may carry it out later (408, 429, 503), or a proxy got no response from it (502, 504). */
const FOR_NOW = [408, 429, 502, 503, 504];

/** @throws TypeError if the address or the key is missing or invalid */
export function openTransport(client: ClientOptions): Send {
  const base = baseOf(client.baseUrl);
  const { apiKey } = client;
  if (typeof apiKey !== 'function') authorizationOf(apiKey);
  const fetch = client.fetch ?? globalThis.fetch.bind(globalThis);
  const announced = new Set<string>();

  return async <Value>(call: Call<Value>) => {
    const { operation, options, id = '', idempotencyKey } = call;
    const { timeout, attemptTimeout, retries } = limitsOf(client, options);
    const deadline = performance.now() + timeout;
    // All attempts have the same request id, so the log of the service shows the attempts together.
    const fields = fieldsOf(client, call);
    const target = operation.replace(/\/.*/, (path) => base + path.replace(/\{.*?\}/, id));
    let sent: FailedCall = { target, requestId: fields.get('x-request-id') ?? '', attempts: 0, idempotencyKey };
    const mayRepeat = operation.startsWith('GET') || idempotencyKey !== undefined;
    let outcome: Answer<Value> | Failure;
    try {
      for (;;) {
        options.signal?.throwIfAborted();
        sent = { ...sent, attempts: sent.attempts + 1 };
        outcome = await attempt(
          call,
          new Headers(fields),
          sent,
          Math.min(attemptTimeout, deadline - performance.now()),
        );
        if (!('error' in outcome)) return outcome;
        if (!mayRepeat || outcome.retryAfter === undefined || sent.attempts > retries) break;
        const wait = waitAfter(sent.attempts, outcome.retryAfter);
        if (performance.now() + wait >= deadline) break;
        await sleep(wait, options.signal);
      }
    } catch (cause) {
      // Failures are returned. So this is the reason of the signal, or what a function of the caller has thrown.
      throw new AbortedError(`The calling program ended the call: ${reasonOf(cause)}`, sent, cause);
    }
    throw outcome.error;
  };

  async function attempt<Value>(
    call: Call<Value>,
    headers: Headers,
    first: FailedCall,
    limit: number,
  ): Promise<Answer<Value> | Failure> {
    const { operation, options, query, body } = call;
    const [method = '', address = ''] = first.target.split(' ');
    const url = query ? `${address}?${query}` : address;
    const request = { operation, url, attempt: first.attempts };
    const begin = performance.now();
    let response: Response | undefined;
    let sent = first;
    const late = { error: new TimeoutError(`No response within ${Math.round(limit)} ms`, sent), retryAfter: 0 };
    const outcome = await within<Answer<Value> | Failure>(limit, late, options.signal, async (signal) => {
      await client.onRequest?.({ ...request, headers });
      headers.set('authorization', authorizationOf(typeof apiKey === 'function' ? await apiKey() : apiKey));
      signal.throwIfAborted();
      try {
        // A redirect could turn a POST into a GET and send the key to another server.
        const init = { method, headers, redirect: 'manual', credentials: 'omit', signal } as const;
        response = await fetch(url, body === undefined ? init : { ...init, body });
        sent = { ...first, requestId: printable(response.headers.get('x-request-id') ?? first.requestId) };
        return outcomeOf(call, response, await response.text(), sent);
      } catch (cause) {
        return { error: lost(response, cause, sent), retryAfter: 0 };
      }
    });
    const sunset = response?.headers.get('sunset');
    if (sunset && !announced.has(operation)) {
      announced.add(operation);
      const announce = client.onDeprecation ?? console.warn;
      announce(printable(`${operation} is deprecated, and will be removed on ${sunset}`));
    }
    client.onResponse?.({
      ...request,
      requestId: sent.requestId,
      status: response?.status,
      headers: response?.headers,
      error: 'error' in outcome ? outcome.error : undefined,
      milliseconds: performance.now() - begin,
    });
    return outcome;
  }
}

/** The header fields of a call, except `Authorization`. @throws TypeError if one of the caller is invalid */
function fieldsOf(client: ClientOptions, { options, body, idempotencyKey }: Call<unknown>): Headers {
  const fields = new Headers({ accept: 'application/json', 'x-request-id': newId() });
  const own = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  for (const group of [client.headers, options.headers, own])
    for (const [name, value] of Object.entries(group ?? {})) fields.set(name, value);
  return fields;
}

/** Why there is no complete response. */
function lost(response: Response | undefined, cause: unknown, sent: FailedCall): AnimalStoreError {
  if (response === undefined) return new NetworkError(`No response: ${reasonOf(cause)}`, sent, cause);
  const { status } = response;
  return new UnreadableResponseError(
    `The response with status ${status} was cut: ${reasonOf(cause)}`,
    status,
    sent,
    cause,
  );
}

/** Interprets a complete response. */
function outcomeOf<Value>(
  { isExpected }: Call<Value>,
  { status, headers, ok, type }: Response,
  text: string,
  sent: FailedCall,
): Answer<Value> | Failure {
  const unreadable = (what: string, retryAfter?: number): Failure => ({
    error: new UnreadableResponseError(`The response with status ${status} ${what}`, status, sent),
    retryAfter,
  });
  const target = headers.get('location');
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && target !== null))
    return unreadable(`redirects to ${target ?? 'an address that the browser hides'}: correct baseUrl`);
  const wait = FOR_NOW.includes(status) ? (retryAfterOf(headers) ?? 0) : undefined;
  let value: unknown;
  try {
    value = parse(text);
  } catch (fault) {
    // If JSON ends too early, it was complete when the service sent it.
    const isCut = ok && /json/i.test(headers.get('content-type') ?? '');
    return unreadable(`${isCut ? 'is cut or broken' : 'is no JSON'}: ${reasonOf(fault)}`, isCut ? 0 : wait);
  }
  if (ok) return isExpected(value) ? { value, status, headers, sent } : unreadable('is not what the operation returns');
  const { code, message } = Object(value) as Partial<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string')
    return unreadable('is no error of the service: correct baseUrl', wait);
  return { error: new ApiError(code, status, message, sent, retryAfterOf(headers)), retryAfter: wait };
}
