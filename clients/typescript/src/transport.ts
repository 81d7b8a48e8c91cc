import type { Answer, Call, Send } from './call.js';
import { deprecationOf, type DeprecationNotice } from './deprecations.js';
import {
  AbortedError,
  NetworkError,
  printable,
  reasonOf,
  TimeoutError,
  UnreadableResponseError,
  type FailedCall,
} from './errors.js';
import { exchange, LARGEST_BODY, type Exchange } from './exchange.js';
import { newId } from './new-id.js';
import { authorizationOf, baseOf, limitsOf, type ClientOptions } from './options.js';
import { readResponse, type Failure } from './read-response.js';
import { sleep, waitAfter } from './waiting.js';

/** @throws TypeError if the address or the key is invalid */
export function openTransport(client: ClientOptions): Send {
  const base = baseOf(client.baseUrl);
  const { apiKey, onDeprecation = warn } = client;
  if (typeof apiKey !== 'function') authorizationOf(apiKey);
  const fetch = client.fetch ?? globalThis.fetch.bind(globalThis);
  const announced = new Set<string>();

  return async (call) => {
    const { options, idempotencyKey } = call;
    // All attempts have the same request id, so the log of the service shows the attempts together.
    const fields = fieldsOf(client, call);
    let sent: FailedCall = { requestId: fields.get('x-request-id') ?? '', attempts: 0, idempotencyKey };
    const { timeout, attemptTimeout, retries } = limitsOf(client, options);
    const deadline = performance.now() + timeout;
    const mayRepeat = call.operation.startsWith('GET') || idempotencyKey !== undefined;
    let outcome: Answer | Failure;
    try {
      for (;;) {
        options.signal?.throwIfAborted();
        sent = { ...sent, attempts: sent.attempts + 1 };
        const limit = Math.min(attemptTimeout, deadline - performance.now());
        outcome = await attempt(call, new Headers(fields), sent, limit);
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

  async function attempt(call: Call, fields: Headers, first: FailedCall, limit: number): Promise<Answer | Failure> {
    const { operation, options, id, query, body } = call;
    const [method = '', path = ''] = operation.split(' ');
    const address = base + path.replace(/\{.*?\}/, id ?? '');
    const url = query ? `${address}?${query}` : address;
    const request = { operation, url, attempt: first.attempts };
    const begin = performance.now();
    const prepare = async () => {
      await client.onRequest?.({ ...request, headers: fields });
      fields.set('authorization', authorizationOf(typeof apiKey === 'function' ? await apiKey() : apiKey));
      return { method, headers: fields, ...(body !== undefined && { body }) };
    };
    const result = await exchange(fetch, url, prepare, limit, options.signal);
    const { status, headers } = 'response' in result ? result.response : {};
    const requestId = printable(headers?.get('x-request-id') ?? first.requestId);
    const sent = { ...first, requestId };
    const notice = headers && !announced.has(operation) && deprecationOf(headers, operation, requestId);
    if (notice) {
      announced.add(operation);
      onDeprecation(notice);
    }
    const outcome =
      'fault' in result
        ? failureOf(result, address, limit, sent)
        : readResponse(call, address, result.response, result.text, sent);
    const error = 'error' in outcome ? outcome.error : undefined;
    client.onResponse?.({ ...request, requestId, status, headers, error, milliseconds: performance.now() - begin });
    return outcome;
  }
}

/** The header fields of a call, except `Authorization`. @throws TypeError if one of the caller is invalid */
function fieldsOf(client: ClientOptions, { options, body, idempotencyKey }: Call): Headers {
  const fields = new Headers({ accept: 'application/json', 'x-request-id': newId() });
  const own = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  for (const group of [client.headers, options.headers, own])
    for (const [name, value] of Object.entries(group ?? {})) fields.set(name, value);
  return fields;
}

/** Why there is no complete response. A retry is useful at once, except for a body that is too large. */
function failureOf(result: Exclude<Exchange, { text: string }>, url: string, limit: number, sent: FailedCall): Failure {
  switch (result.fault) {
    case 'timeout':
      return { error: new TimeoutError(`No response of ${url} within ${Math.round(limit)} ms`, sent), retryAfter: 0 };
    case 'no response': {
      const { cause } = result;
      return { error: new NetworkError(`No response of ${url}: ${reasonOf(cause)}`, sent, cause), retryAfter: 0 };
    }
    case 'cut': {
      const { response, cause } = result;
      const message = `The response of ${url} with status ${response.status} was cut: ${reasonOf(cause)}`;
      return { error: new UnreadableResponseError(message, response.status, sent, cause), retryAfter: 0 };
    }
    case 'too large': {
      const { status } = result.response;
      const message = `The response of ${url} with status ${status} is larger than ${LARGEST_BODY} bytes`;
      return { error: new UnreadableResponseError(message, status, sent) };
    }
  }
}

function warn({ message }: DeprecationNotice): void {
  console.warn(message);
}
