import {
  RequestMethod,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type RawBodyRequest,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { excerpt, MAX_REPORTED, RequestError } from '../errors/request.errors.js';
import { parseJsonBody } from '../json/exact-json.js';
import { BODY_LIMITS_SETTING, type BodyLimits } from './body-limits.js';
import {
  hasBody,
  isJsonMediaType,
  limitOwnBody,
  readBody,
  refusalOfEncodedBody,
  sendContinue,
} from './request-body.js';
import { declaredRoutes, guardsOf, methodOf, type RouteAnnouncer } from '../routes/route-metadata.js';
import { routeInput, type RouteInput } from './route-input.js';

/** The addresses of the operations begin with a version. */
const VERSIONED = /^\/v[0-9]+(?:[/?]|$)/;

/**
 * Reads the input of a route before its interceptors run and the parameters of its handler are made. `request.body`
 * becomes the value of the JSON body. It is the last guard of a route, so that no byte of a stranger's body is read.
 */
class RouteInputGuard implements CanActivate {
  /**
   * The input of the handler for each controller that has it: it depends on the decorators of both, which do not
   * change.
   */
  private readonly inputs = new WeakMap<Type, RouteInput>();

  /**
   * @returns a promise only if there is a body to read: other routes need no promise (ADR 0012, 1.2 times the requests
   *   on W6)
   * @throws RequestError immediately or as a rejection: 400, 413 or 415
   */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const [request, response] = context.getArgs<[Request, Response]>();
    return this.read(request, response, this.inputOf(context.getClass(), context.getHandler()));
  }

  /** Computed once for each controller. */
  inputOf(controller: Type, handler: object): RouteInput {
    let input = this.inputs.get(controller);
    if (input === undefined) this.inputs.set(controller, (input = routeInput(controller, handler)));
    return input;
  }

  /**
   * @returns a promise only if there is a body to read
   * @throws RequestError immediately or as a rejection: 400, 413 or 415
   */
  private read(request: Request, response: Response, route: RouteInput): true | Promise<true> {
    if (!route.mayReadQuery && request.url.includes('?')) refuseParameters(request);
    if (route.leavesBody || (isBodiless(request) && !route.takesBody)) return true;
    // A middleware has already read the body.
    if ((request.body as unknown) !== undefined || !hasBody(request)) return true;

    const type = request.headers['content-type'] ?? '';
    const common = request.app.get(BODY_LIMITS_SETTING) as BodyLimits;
    const limits = route.bodyLimit === undefined ? common : { ...common, limit: route.bodyLimit };
    // Rejected later, so that an error that Node's parser finds in the same bytes is reported first.
    const refusal = refusalOfEncodedBody(request);
    if (refusal !== undefined) return Promise.reject(refusal);
    if (isJsonMediaType(type)) {
      const bytes = readBody(request, limits, () => {
        sendContinue(request, response);
      });
      return bytes.then((body) => {
        if (route.takesRawBody) (request as RawBodyRequest<Request>).rawBody = body;
        request.body = parseJsonBody(body);
        return true;
      });
    }
    const { ownMediaTypes } = route;
    if (ownMediaTypes.length === 0 || request.is([...ownMediaTypes]) === false)
      return Promise.reject(RequestError.unsupportedMediaType(ownMediaTypes));
    limitOwnBody(request, response, limits);
    return true;
  }
}

/**
 * Adds the guard as the last one of every route that has input to read or to refuse, before Nest resolves the guards. All
 * applications of a process share the metadata of a controller: what a guard keeps is the same in each of them.
 */
function installOnRoutes(modules: ModulesContainer, { httpAdapter }: HttpAdapterHost<RouteAnnouncer>): void {
  httpAdapter.beforeRoutes(() => {
    for (const { controller, name, handler } of declaredRoutes(modules)) {
      if (guardsOf(handler).some((known) => known instanceof RouteInputGuard)) continue;
      const guard = new RouteInputGuard();
      const input = guard.inputOf(controller, handler);
      if (hasInput(input, handler)) UseGuards(guard)(controller.prototype as object, name, { value: handler });
    }
  });
}

/** Whether there is input to read or to refuse. */
function hasInput({ mayReadQuery, leavesBody, takesBody }: RouteInput, handler: object): boolean {
  const method = methodOf(handler);
  const isWithoutBody = method === RequestMethod.GET || method === RequestMethod.HEAD;
  return !mayReadQuery || !(leavesBody || (isWithoutBody && !takesBody));
}

export const routeInputGuardProvider = {
  provide: RouteInputGuard,
  useFactory: installOnRoutes,
  inject: [ModulesContainer, HttpAdapterHost],
};

function isBodiless({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** @throws RequestError if the request has a query parameter */
function refuseParameters(request: Request): void {
  if (!VERSIONED.test(request.originalUrl)) return;
  const names = Object.keys(request.query);
  if (names.length === 0) return;
  const violations = names
    .slice(0, MAX_REPORTED)
    .map((name) => `unknown query parameter ${JSON.stringify(excerpt(name))}: none are allowed here`);
  throw RequestError.invalid(violations, names.length);
}
