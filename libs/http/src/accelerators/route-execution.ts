import type { INestApplication } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { checkRoute, routerOf, type Handle } from './nest-router.js';
import { isPlain, PlainRoute } from './plain-route.js';
import { isThenable } from './thenable.js';

/**
 * Executes routes with fewer promises: a guard, a pipe or a handler is waited for only where it gives a promise. Nest
 * itself awaits every step, and every function around it: a dozen promises, a third of what a request allocates. Steps,
 * order and errors are those of Nest, which keeps the routes that want more of it (docs/adr/0012).
 *
 * To be called before the application is initialised.
 *
 * @param leave told why a route is left to Nest, where something about it is not what it was
 * @throws MissingPartError where nothing is what it was, and nothing has been changed
 */
export function executeRoutesDirectly(app: INestApplication, leave: (reason: unknown) => void = () => undefined): void {
  const { executionContextCreator: nest, routerProxy } = routerOf(app);
  const createProxyByNest = routerProxy.createProxy.bind(routerProxy);
  routerProxy.createProxy = (handle, filters) =>
    typeof (filters as Partial<ExceptionsHandler> | undefined)?.next === 'function'
      ? withFilters(handle, filters)
      : createProxyByNest(handle, filters);
  const createByNest = nest.create.bind(nest);
  nest.create = (...route) => {
    const byNest = createByNest(...route);
    try {
      checkRoute(nest, route);
      return isPlain(nest, route) ? new PlainRoute(nest, route).handle : byNest;
    } catch (error) {
      leave(error);
      return byNest;
    }
  };
}

/** Lets the filters answer what the handle throws, at once or later. */
function withFilters(handle: Handle, filters: ExceptionsHandler): Handle {
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
