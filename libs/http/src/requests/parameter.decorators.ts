import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Cancellation, IdempotencyKey } from '@animal-store/kernel';
import { RequestError } from '../errors/request.errors.js';
import { withoutQuery } from './route-input.js';

/**
 * Whether the client of a request went away before it was answered. It only looks at the response, so a request that asks
 * nobody to stop pays next to nothing for it.
 */
export class RequestSignal implements Cancellation {
  private controller: AbortController | undefined;

  constructor(private readonly response: ServerResponse) {}

  get aborted(): boolean {
    return this.response.destroyed && !this.response.writableFinished;
  }

  /** The same as an `AbortSignal`, for `fetch`, timers and whatever else takes one. It is made when it is first asked for. */
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

/** The {@link RequestSignal} of the request, as a parameter of a handler, to be handed on to what need not be done for nobody. */
export const ClientSignal = createParamDecorator(
  withoutQuery((_: unknown, context: ExecutionContext) => {
    const [, response] = context.getArgs<[unknown, ServerResponse]>();
    return new RequestSignal(response);
  }),
);

/** Visible ASCII has no blank, and Node joins repeated fields with one: so this refuses those as well. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The part of the caller that idempotency keys belong to. */
type RequestWithHolder = IncomingMessage & { readonly user?: { readonly holder?: string } };

/**
 * The `Idempotency-Key` of a request that needs a key of the API, with the holder of that: a client keeps it when its API
 * key is rotated, and nobody gets it with its name (ADR 0011).
 *
 * @returns `undefined` where the client sent none
 * @throws RequestError when it is malformed, or sent more than once
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

/** The {@link idempotencyKeyOf} the request, as a parameter of a handler. */
export const SentIdempotencyKey = createParamDecorator(
  withoutQuery((_: unknown, context: ExecutionContext) => {
    const [request] = context.getArgs<[IncomingMessage]>();
    return idempotencyKeyOf(request);
  }),
);
