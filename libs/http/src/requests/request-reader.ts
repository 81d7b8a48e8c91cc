import { Injectable, type CallHandler, type ExecutionContext, type RawBodyRequest, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { excerpt, MAX_TOLD } from '../errors/bounded-message.js';
import { RequestError } from '../errors/request.errors.js';
import { parseJsonBody } from '../json/exact-json.js';
import type { BaseInterceptor } from './base-interceptor.js';
import { limitOwnBody } from './own-body.js';
import { askForBody, hasBody, readBody, type BodyLimits } from './request-body.js';
import { routeInput, type RouteInput } from './route-input.js';
import { RouteMemo } from './route-memo.js';

/** The Express setting that holds the {@link BodyLimits}. */
export const BODY_LIMITS_SETTING = 'body limits';

/** The addresses of the operations: those of a version. */
const VERSIONED = /^\/v[0-9]+(?:[/?]|$)/;

/**
 * Reads what a route takes of a request, before the parameters of its handler are made: `request.body` is what the JSON of
 * the body means. As an interceptor it comes behind the guards, so that no byte of a stranger's body is read.
 */
@Injectable()
export class RequestReader implements BaseInterceptor {
  readonly isOfBase = true;
  private readonly routes = new RouteMemo<RouteInput>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const [request, response] = context.getArgs<[Request, Response]>();
    const pending = this.readInto(request, response, this.inputOf(context.getClass(), context.getHandler()));
    return pending === undefined ? next.handle() : pending.then(() => next.handle());
  }

  /** What a route takes. */
  inputOf(controller: Type, handler: object): RouteInput {
    return this.routes.get(controller, handler, () => routeInput(controller, handler));
  }

  /**
   * @returns a promise only where there is a body to wait for
   * @throws RequestError at once or as a rejection: 400, 413 or 415
   */
  readInto(request: Request, response: Response, route: RouteInput): Promise<void> | undefined {
    if (!route.mayReadQuery && request.url.includes('?')) refuseParameters(request);
    if (route.leavesBody || (isBodiless(request) && !route.takesBody)) return undefined;
    // Somebody before has read it.
    if ((request.body as unknown) !== undefined || !hasBody(request)) return undefined;

    const type = request.headers['content-type'] ?? '';
    const limits = request.app.get(BODY_LIMITS_SETTING) as BodyLimits;
    if (isJsonMediaType(type)) {
      const bytes = readBody(request, limits, () => {
        askForBody(request, response);
      });
      return bytes.then((body) => {
        if (route.takesRawBody) (request as RawBodyRequest<Request>).rawBody = body;
        request.body = parseJsonBody(body);
      });
    }
    // Later: what Node's parser finds wrong with the same bytes is said first.
    if (!isAmong(route.ownMediaTypes, type))
      return Promise.reject(RequestError.unsupportedMediaType(route.ownMediaTypes));
    limitOwnBody(request, response, limits);
    return undefined;
  }
}

function isBodiless({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** @throws RequestError where the request has a query parameter */
function refuseParameters(request: Request): void {
  if (!VERSIONED.test(request.originalUrl)) return;
  const names = Object.keys(request.query);
  if (names.length === 0) return;
  const violations = names
    .slice(0, MAX_TOLD)
    .map((name) => `unknown query parameter ${JSON.stringify(excerpt(name))}: none are allowed here`);
  throw RequestError.invalid(violations, names.length);
}

/** No two runs of blanks can meet in it: where they can, a header of 16 kB of tabulators takes half a second. */
const JSON_MEDIA_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?(?:[ \t]*;)?[ \t]*$/i;

/** Whether it is `application/json`, alone or with the one charset that JSON has (RFC 8259, section 8.1). */
export function isJsonMediaType(contentType: string): boolean {
  return JSON_MEDIA_TYPE.test(contentType);
}

/** @param declared in lower case, such as `multipart/form-data`, or with a `*` behind the slash or for the whole */
function isAmong(declared: readonly string[], contentType: string): boolean {
  const end = contentType.indexOf(';');
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  return declared.some(
    (pattern) =>
      pattern === type || pattern === '*/*' || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1))),
  );
}
