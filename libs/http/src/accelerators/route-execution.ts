import type { INestApplication } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { isOfBase } from '../requests/base-interceptor.js';
import { checkRoute, metadataOf, routerOf, type HandleFactory, type RouteArguments } from './nest-router.js';
import { PlainRoute, withFilters } from './plain-route.js';

/**
 * Executes routes with fewer promises: a guard, a pipe or a handler is awaited only if it returns a promise. Nest
 * itself awaits every step and every function around it: a dozen promises, a third of the memory that a request
 * allocates. Steps, order and errors are the same as in Nest, which executes the routes that need more features
 * (docs/adr/0012).
 *
 * Must be called before the application is initialised.
 *
 * @param leave called with the reason if a route is left to Nest because a private part has changed
 * @throws MissingPartError if a part of the router is missing; nothing has been changed then
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

/** Whether only guards, pipes and the result of the handler decide about the response. */
function isPlain(nest: HandleFactory, route: RouteArguments): boolean {
  const [controller, handler, methodName, moduleKey, , contextId = STATIC_CONTEXT, inquirerId] = route;
  const { getParamsMetadata, hasCustomHeaders, isSseHandler } = metadataOf(nest, route);
  return (
    contextId === STATIC_CONTEXT &&
    !isSseHandler &&
    !hasCustomHeaders &&
    (nest.reflectRedirect(handler) as unknown) === undefined &&
    (nest.reflectRenderTemplate(handler) as unknown) === undefined &&
    !nest.isResponseHandled(controller, methodName, getParamsMetadata(moduleKey)) &&
    nest.interceptorsContextCreator.create(controller, handler, moduleKey, contextId, inquirerId).every(isOfBase)
  );
}
