import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC_ROUTE, ROUTE_SCOPES } from './access.decorators.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { MissingScopeError, UnauthorizedError } from './auth.errors.js';
import type { Caller, RequestOfCaller } from './caller.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;
type Controller = ReturnType<ExecutionContext['getClass']>;

/** Who may use a route. */
interface RouteAccess {
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
}

/** The global guard: every route without {@link Public} needs a valid API key, with the {@link Scopes} of the route. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** By controller and handler. Decorators do not change, so each route is looked up once. */
  private readonly known = new WeakMap<object, WeakMap<object, RouteAccess>>();

  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly reflector: Reflector,
  ) {}

  /** @returns a promise only if the key must be looked up, so that the other requests need none (ADR 0012) */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { isPublic, scopes } = this.accessTo(context);
    if (isPublic) return true;

    const request = context.switchToHttp().getRequest<RequestOfCaller>();
    try {
      const caller = this.authenticator.authenticate(authorizationHeaders(request), request.socket);
      return caller instanceof Promise ? this.admitLater(request, caller, scopes) : admit(request, caller, scopes);
    } catch (error) {
      throw noted(request, error);
    }
  }

  private async admitLater(request: RequestOfCaller, found: Promise<Caller>, scopes: readonly string[]): Promise<true> {
    try {
      return admit(request, await found, scopes);
    } catch (error) {
      throw noted(request, error);
    }
  }

  private accessTo(context: ExecutionContext): RouteAccess {
    const handler = context.getHandler();
    const controller = context.getClass();
    let handlers = this.known.get(controller);
    if (handlers === undefined) this.known.set(controller, (handlers = new WeakMap()));
    let access = handlers.get(handler);
    if (access === undefined) handlers.set(handler, (access = this.readAccess(handler, controller)));
    return access;
  }

  private readAccess(handler: Handler, controller: Controller): RouteAccess {
    const scopes = this.reflector.get<readonly string[] | undefined>(ROUTE_SCOPES, handler);
    if (scopes !== undefined) return { isPublic: false, scopes };
    const isPublic =
      this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [handler, controller]) === true;
    return { isPublic, scopes: [] };
  }
}

/** @throws MissingScopeError */
function admit(request: RequestOfCaller, caller: Caller, needed: readonly string[]): true {
  request.user = caller;
  const { scopes } = caller;
  if (scopes === undefined || needed.length === 0) return true;
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) throw new MissingScopeError(missing);
  return true;
}

/** Notes in the request which key was refused, for its line in the log and for the metrics. */
function noted(request: RequestOfCaller, error: unknown): unknown {
  if (error instanceof UnauthorizedError && error.refused !== undefined) request.refusedApiKey = error.refused;
  return error;
}

/** Node keeps only the first `Authorization` header in `headers`; the raw list has them all. */
function authorizationHeaders({ rawHeaders }: IncomingMessage): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
