import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { withoutQuery } from '../bodies/route-input.js';

/**
 * Whether the client of a request disconnected before it got its response. It only reads the state of the response, so
 * it costs almost nothing as long as nothing calls `toAbortSignal`.
 */
export class RequestSignal {
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
