import type { Answer, Call, Send } from './call.js';
import { authorizationOf, baseOf, limitsOf, userAgent, type ClientOptions } from './client-options.js';
import { deprecationOf, type DeprecationNotice } from './deprecations.js';
import { NetworkError, TimeoutError, UnreadableResponseError, type FailedCall } from './errors.js';
import { exchange, type Exchange } from './exchange.js';
import { newId } from './new-id.js';
import { readResponse, type Failure } from './read-response.js';
import { remember, responseOf } from './response-info.js';
import { sleep, waitAfter } from './waiting.js';

/** @throws TypeError if the address or the key is invalid */
export function openTransport(client: ClientOptions): Send {
  const base = baseOf(client);
  const { apiKey } = client;
  if (typeof apiKey !== 'function') authorizationOf(apiKey);
  const fetch = client.fetch ?? globalThis.fetch.bind(globalThis);
  const onDeprecation = client.onDeprecation ?? warn;
  const announced = new Set<string>();

  return async (call) => {
    const { operation, options, idempotencyKey } = call;
    const { timeout, attemptTimeout, retries } = limitsOf(client, options);
    const deadline = performance.now() + timeout;
    const isSafe = operation.startsWith('GET') || idempotencyKey !== undefined;
    // All attempts have the same request id, so the log of the service shows the attempts together.
    const fields = fieldsOf(call);
    const requestId = fields.get('x-request-id') ?? '';
    for (let attempts = 1; ; attempts++) {
      options.signal?.throwIfAborted();
      const limit = Math.min(attemptTimeout, deadline - performance.now());
      const outcome = await attempt(call, new Headers(fields), { requestId, attempts, idempotencyKey }, limit);
      if (!('error' in outcome)) return outcome;
      const { error, retryAfter } = outcome;
      const wait =
        isSafe && attempts <= retries && retryAfter !== undefined ? waitAfter(attempts, retryAfter) : Infinity;
      if (performance.now() + wait >= deadline) throw error;
      await sleep(wait, options.signal);
    }
  };

  async function attempt(call: Call, fields: Headers, first: FailedCall, limit: number): Promise<Answer | Failure> {
    const { operation, options, id, query, body } = call;
    const [method = '', path = ''] = operation.split(' ');
    const url = base + path.replace(/\{.*?\}/, id ?? '') + (query ? `?${query}` : '');
    const request = { operation, url, attempt: first.attempts };
    const begin = performance.now();
    const prepare = async () => {
      await client.onRequest?.({ ...request, headers: fields });
      fields.set('authorization', authorizationOf(typeof apiKey === 'function' ? await apiKey() : apiKey));
      return { method, headers: fields, ...(body !== undefined && { body }) };
    };
    const result = await exchange(fetch, url, prepare, limit, options.signal);
    const { response, text } = result;
    const { status, headers } = response ?? {};
    const sent = { ...first, requestId: headers?.get('x-request-id') ?? first.requestId };
    const notice = headers && !announced.has(operation) && deprecationOf(headers, operation, sent.requestId);
    if (notice) {
      announced.add(operation);
      onDeprecation(notice);
    }
    const outcome: Answer | Failure =
      response === undefined || text === undefined
        ? { error: lost(result, limit, sent), retryAfter: 0 }
        : readResponse(call, url, response, text, sent);
    const error = 'error' in outcome ? outcome.error : undefined;
    if (response !== undefined) remember('value' in outcome ? outcome.value : outcome.error, response, sent);
    client.onResponse?.({ ...request, status, headers, error, milliseconds: performance.now() - begin });
    return outcome;
  }

  /** The header fields of a call, except `Authorization`. */
  function fieldsOf({ options, revalidate, body, idempotencyKey }: Call): Headers {
    const fields = new Headers({ accept: 'application/json', 'x-request-id': newId() });
    const own = {
      'if-none-match': (revalidate && responseOf(revalidate)?.headers.get('etag')) ?? undefined,
      'content-type': body === undefined ? undefined : 'application/json',
      'idempotency-key': idempotencyKey,
    };
    for (const group of [{ 'user-agent': userAgent() }, client.headers, options.headers, own])
      for (const [name, value] of Object.entries(group ?? {})) if (value !== undefined) fields.set(name, value);
    return fields;
  }
}

function lost({ isTimeout, response, cause }: Exchange, limit: number, sent: FailedCall) {
  if (isTimeout === true) return new TimeoutError(`No response within ${Math.round(limit)} ms`, sent);
  if (response === undefined) return new NetworkError('No response arrived', sent, cause);
  return new UnreadableResponseError(
    `The response with status ${response.status} was cut`,
    response.status,
    sent,
    cause,
  );
}

function warn({ message }: DeprecationNotice): void {
  console.warn(message);
}
