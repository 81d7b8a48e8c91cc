import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Cancellation } from '@animal-store/kernel';
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
