import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { fromEvent, map, NEVER, of, takeUntil, type Observable } from 'rxjs';
import { stringifyExactJson } from '../json/exact-json.js';
import { HttpResponse } from './http-response.js';
import { declaredRoutes, interceptorsOf, sendsEvents, type RouteAnnouncer } from '../routes/route-metadata.js';

/** The Express setting that holds the `AbortSignal` of a server that begins to stop. */
export const STOPPING_SETTING = 'stopping';

/**
 * The innermost interceptor of a route that has others. It turns an {@link HttpResponse} into plain data for them, as
 * from any other handler, and sets its header fields on the response. Stateless, because all applications of a process
 * share the metadata of a controller.
 */
class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const [request, response] = context.getArgs<[Request, Response]>();
    const isEvents = sendsEvents(context.getHandler());
    if (isEvents) return next.handle().pipe(map(exactEvent), takeUntil(serverStops(request)));
    const plain = (result: unknown) => (result instanceof HttpResponse ? unpack(result, response) : result);
    return next.handle().pipe(map(plain));
  }
}

/** Emits when the server begins to stop, or at once if it has begun: a client that reads events has no other end. */
function serverStops({ app }: Request): Observable<unknown> {
  const signal = app.get(STOPPING_SETTING) as AbortSignal | undefined;
  if (signal === undefined) return NEVER;
  return signal.aborted ? of(signal) : fromEvent(signal, 'abort');
}

const RESPONSE_INTERCEPTOR = new ResponseInterceptor();

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

/**
 * Adds the interceptor to every route that has others, and to those that send events, before Nest resolves them. Nobody
 * uses the result: Nest needs a value for the provider.
 */
function installOnRoutes(
  modules: ModulesContainer,
  config: ApplicationConfig,
  { httpAdapter }: HttpAdapterHost<RouteAnnouncer>,
): ResponseInterceptor {
  httpAdapter.beforeRoutes(() => {
    const ofAll = [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()];
    for (const route of declaredRoutes(modules)) {
      const { controller, name, handler } = route;
      const ofRoute = interceptorsOf(route);
      if (ofRoute.includes(RESPONSE_INTERCEPTOR)) continue;
      if (!sendsEvents(handler) && ofAll.length + ofRoute.length === 0) continue;
      UseInterceptors(RESPONSE_INTERCEPTOR)(controller.prototype as object, name, { value: handler });
    }
  });
  return RESPONSE_INTERCEPTOR;
}

export const responseInterceptorProvider = {
  provide: ResponseInterceptor,
  useFactory: installOnRoutes,
  inject: [ModulesContainer, ApplicationConfig, HttpAdapterHost],
};
