import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { Handle } from './nest-router.js';
import { isThenable } from './thenable.js';

/** Passes what the handler throws or rejects with to the exception filters. */
export function withFilters(handle: Handle, filters: ExceptionsHandler): Handle {
  return (request, response, next) => {
    const filter = (error: Error) => {
      filters.next(error, new ExecutionContextHost([request, response, next]));
    };
    try {
      const pending = handle(request, response, next);
      return isThenable(pending) ? pending.then(undefined, filter) : undefined;
    } catch (error) {
      filter(error as Error);
      return undefined;
    }
  };
}
