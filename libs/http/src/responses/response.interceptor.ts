import { UseInterceptors, type CallHandler, type ExecutionContext, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { isOfBase, type BaseInterceptor } from '../requests/base-interceptor.js';
import { stringifyExactJson } from '../json/exact-json.js';
import { HttpResponse } from './http-response.js';
import { routeHandlers, type RouteAnnouncer } from '../requests/route-handlers.js';
import { RouteMemo } from '../requests/route-memo.js';

/** The Express setting that holds the {@link Interceptors} of the application. */
const INTERCEPTORS_SETTING = 'interceptors';

/**
 * The innermost interceptor of a route. It turns an {@link HttpResponse} into plain data for the other interceptors, as
 * from any other handler, and sets its header fields on the response. On a route without other interceptors it changes
 * nothing.
 */
class ResponseInterceptor implements BaseInterceptor {
  readonly isOfBase = true;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const [request, response] = context.getArgs<[Request, Response]>();
    if (Reflect.getMetadata(SSE_METADATA, context.getHandler()) === true) return next.handle().pipe(map(exactEvent));
    const interceptors = request.app.get(INTERCEPTORS_SETTING) as Interceptors;
    return interceptors.areOthers(context.getClass(), context.getHandler())
      ? next
          .handle()
          .pipe(map((result: unknown) => (result instanceof HttpResponse ? unpack(result, response) : result)))
      : next.handle();
  }
}

function unpack(returned: HttpResponse, response: Response): unknown {
  const { ownFields } = returned;
  for (let index = 0; index < ownFields.length; index += 2) {
    response.setHeader(ownFields[index] ?? '', ownFields[index + 1] ?? '');
  }
  return returned.toJSON();
}

/** Nest writes the data of an event with `JSON.stringify`, which refuses a `bigint`. Nest does not change a string. */
function exactEvent(event: unknown): unknown {
  const { data } = Object(event) as { data?: unknown };
  const isJson = typeof data === 'bigint' || (typeof data === 'object' && data !== null);
  return isJson ? { ...(event as object), data: stringifyExactJson(data) } : event;
}

/** Stateless, because all applications of a process share the metadata of a controller. */
const RESPONSE_INTERCEPTOR = new ResponseInterceptor();

/** The interceptors that the routes of an application have besides those of this library. */
class Interceptors {
  private readonly known = new RouteMemo<boolean>();

  constructor(private readonly config: ApplicationConfig) {}

  areOthers(controller: Type, handler: object): boolean {
    return this.known.get(controller, handler, () => this.find(controller, handler));
  }

  private find(controller: Type, handler: object): boolean {
    return [
      ...this.config.getGlobalInterceptors(),
      ...this.config.getGlobalRequestInterceptors(),
      ...ofTarget(controller),
      ...ofTarget(handler),
    ].some((interceptor) => !isOfBase(interceptor));
  }
}

function ofTarget(target: object): readonly unknown[] {
  return (Reflect.getMetadata(INTERCEPTORS_METADATA, target) as unknown[] | undefined) ?? [];
}

/** Adds the interceptor to every route that has others, before Nest resolves them. */
function installOnRoutes(
  modules: ModulesContainer,
  config: ApplicationConfig,
  { httpAdapter }: HttpAdapterHost<RouteAnnouncer>,
): Interceptors {
  const interceptors = new Interceptors(config);
  httpAdapter.getInstance<Express>().set(INTERCEPTORS_SETTING, interceptors);
  httpAdapter.beforeRoutes(() => {
    for (const { prototype, name, handler } of routeHandlers(modules)) {
      if (ofTarget(handler).includes(RESPONSE_INTERCEPTOR)) continue;
      const isEvents = Reflect.getMetadata(SSE_METADATA, handler) === true;
      if (!isEvents && !interceptors.areOthers(prototype.constructor as Type, handler)) continue;
      UseInterceptors(RESPONSE_INTERCEPTOR)(prototype, name, { value: handler });
    }
  });
  return interceptors;
}

export const responseInterceptorProvider = {
  provide: Interceptors,
  useFactory: installOnRoutes,
  inject: [ModulesContainer, ApplicationConfig, HttpAdapterHost],
};
