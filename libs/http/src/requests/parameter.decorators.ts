import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IdempotencyKey, Cancellation } from '@animal-store/kernel';
import { RequestError } from '../errors/request.errors.js';
import { withoutQuery } from '../bodies/route-input.js';

/**
 * Visible ASCII contains no space, and Node joins repeated header fields with a space: so the pattern refuses repeated
 * fields too.
 */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The property of the authenticated user that idempotency keys belong to. */
type RequestWithHolder = IncomingMessage & { readonly user?: { readonly holder?: string } };

/**
 * The `Idempotency-Key` of a request with an API key, together with the holder of the API key. The holder stays the
 * same when the API key is rotated, and a new key with the same name has another holder (ADR 0011).
 *
 * @returns `undefined` if the client sent no `Idempotency-Key`
 * @throws RequestError if it is malformed, or sent more than once
 */
export function idempotencyKeyOf(request: IncomingMessage): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const holder = (request as RequestWithHolder).user?.holder;
  if (holder === undefined) throw new Error('An Idempotency-Key belongs to an API key, and this route asks for none');
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw RequestError.invalid([
      'Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters without blanks',
    ]);
  }
  return { holder, key };
}

/** The value of {@link idempotencyKeyOf} as a parameter of a handler. */
export const SentIdempotencyKey = createParamDecorator(
  withoutQuery((_: unknown, context: ExecutionContext) => {
    const [request] = context.getArgs<[IncomingMessage]>();
    return idempotencyKeyOf(request);
  }),
);

/**
 * Whether the client of a request disconnected before it got its response. It only reads the state of the response, so
 * it costs almost nothing as long as nothing calls `toAbortSignal`.
 */
export class RequestSignal implements Cancellation {
  private controller: AbortController | undefined;

  constructor(private readonly response: ServerResponse) {}

  get aborted(): boolean {
    return this.response.destroyed && !this.response.writableFinished;
  }

  /** An `AbortSignal` for `fetch`, timers and other APIs. It is created by the first call. */
  toAbortSignal(): AbortSignal {
    return (this.controller ??= this.controlled()).signal;
  }

  private controlled(): AbortController {
    const controller = new AbortController();
    const abort = (): void => {
      if (this.aborted) controller.abort();
    };
    if (this.response.destroyed) abort();
    else this.response.once('close', abort);
    return controller;
  }
}

/**
 * The {@link RequestSignal} of the request as a parameter of a handler. The handler passes it to work that may stop
 * when the client disconnects.
 */
export const ClientSignal = createParamDecorator(
  withoutQuery((_: unknown, context: ExecutionContext) => {
    const [, response] = context.getArgs<[unknown, ServerResponse]>();
    return new RequestSignal(response);
  }),
);
