import type { Answer, Call, Send } from './call.js';
import { authorizationOf, baseOf, limitsOf, type ClientOptions } from './client-options.js';
import { deprecationOf, type DeprecationNotice } from './deprecations.js';
import { NetworkError, TimeoutError, UnreadableAnswerError, type FailedCall } from './errors.js';
import { exchange, type Exchange } from './exchange.js';
import { newId } from './new-id.js';
import { readAnswer, type Failure } from './read-answer.js';
import { sleep, waitAfter } from './waiting.js';

/** @throws TypeError if the address or the key is invalid */
export function openTransport(client: ClientOptions): Send {
  const base = baseOf(client);
  const authorization = authorizationOf(client);
  const fetch = client.fetch ?? globalThis.fetch.bind(globalThis);
  const onDeprecation = client.onDeprecation ?? warn;
  const announced = new Set<string>();
  const entityTags = new WeakMap<object, string>();

  return async (call) => {
    const { operation, options, idempotencyKey } = call;
    const { timeout, attemptTimeout, retries } = limitsOf(client, options);
    const deadline = performance.now() + timeout;
    const isSafe = operation.startsWith('GET') || idempotencyKey !== undefined;
    // All attempts have the same request id, so the log of the service shows the attempts together.
    const requestId = newId();
    for (let attempts = 1; ; attempts++) {
      options.signal?.throwIfAborted();
      const limit = Math.min(attemptTimeout, deadline - performance.now());
      const outcome = await attempt(call, { requestId, attempts, idempotencyKey }, limit);
      if (!('error' in outcome)) return outcome;
      const { error, retryAfter } = outcome;
      const wait =
        isSafe && attempts <= retries && retryAfter !== undefined ? waitAfter(attempts, retryAfter) : Infinity;
      if (performance.now() + wait >= deadline) throw error;
      await sleep(wait, options.signal);
    }
  };

  async function attempt(call: Call, sent: FailedCall, limit: number): Promise<Answer | Failure> {
    const { operation, options, id, query, body } = call;
    const [method = '', path = ''] = operation.split(' ');
    const url = base + path.replace(/\{.*?\}/, id ?? '') + (query ? `?${query}` : '');
    const init = { method, headers: headersOf(call, sent.requestId), ...(body !== undefined && { body }) };
    const result = await exchange(fetch, url, init, limit, options.signal);
    const { response, text } = result;
    if (response === undefined || text === undefined) return { error: lost(result, limit, sent), retryAfter: 0 };
    const requestId = response.headers.get('x-request-id') ?? sent.requestId;
    const notice = announced.has(operation) ? undefined : deprecationOf(response.headers, operation, requestId);
    if (notice !== undefined) {
      announced.add(operation);
      onDeprecation(notice);
    }
    const outcome = readAnswer(call, url, response, text, { ...sent, requestId });
    const entityTag = response.headers.get('etag');
    if ('value' in outcome && entityTag !== null) entityTags.set(outcome.value, entityTag);
    return outcome;
  }

  function headersOf({ revalidate, body, idempotencyKey }: Call, requestId: string): Record<string, string> {
    const entityTag = revalidate && entityTags.get(revalidate);
    return {
      accept: 'application/json',
      authorization,
      'x-request-id': requestId,
      ...(entityTag !== undefined && { 'if-none-match': entityTag }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
  }
}

function lost({ isTimeout, response, cause }: Exchange, limit: number, sent: FailedCall) {
  if (isTimeout === true) return new TimeoutError(`No answer within ${Math.round(limit)} ms`, sent);
  if (response === undefined) return new NetworkError('No answer came', sent, cause);
  const requestId = response.headers.get('x-request-id') ?? sent.requestId;
  const message = `The answer with status ${response.status} was cut`;
  return new UnreadableAnswerError(message, response.status, { ...sent, requestId }, cause);
}

function warn({ message }: DeprecationNotice): void {
  console.warn(message);
}
