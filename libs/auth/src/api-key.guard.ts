import type { IncomingMessage } from 'node:http';
import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { MissingScopeError, UnauthorizedError, type Caller, type RequestOfCaller } from './caller.js';
import { API_KEY_SCOPE } from './api-key.js';

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

  /** @returns a promise only if the key must be looked up, so that the other requests need none */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { isPublic, scopes } = this.accessTo(context);
    if (isPublic) return true;

    const request = context.switchToHttp().getRequest<RequestOfCaller>();
    try {
      const caller = this.authenticator.authenticate(authorizationHeaders(request));
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

const PUBLIC_ROUTE = 'animal-store:public-route';

/** The metadata key of the scopes of a route: on the method, also if its controller declares them. */
const ROUTE_SCOPES = 'animal-store:route-scopes';

/** The extensions of an operation in the OpenAPI document that say who may use it. */
export const PUBLIC_EXTENSION = 'x-public';
export const SCOPES_EXTENSION = 'x-required-scopes';

type AccessDecorator = ClassDecorator & MethodDecorator;

/** Makes a route, or all routes of a controller, usable without an API key. All other routes need one. */
export function Public(): AccessDecorator {
  return applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_EXTENSION, true));
}

/**
 * Requires scopes of the API key for a route, or for all routes of a controller: `@Scopes('orders:write')`. Several scopes are
 * all required. Declared on a method, they replace those of its controller. A key without any scopes may do everything. A route
 * with scopes is never public, also not below `@Public()` of its controller.
 */
export function Scopes(...scopes: readonly [string, ...string[]]): AccessDecorator {
  const malformed = scopes.find((scope) => !API_KEY_SCOPE.test(scope));
  if (malformed !== undefined) throw new Error(`${JSON.stringify(malformed)} is not a scope such as orders:write`);
  const document = ApiExtension(SCOPES_EXTENSION, scopes) as MethodDecorator;
  const declare = (handler: object) => {
    Reflect.defineMetadata(ROUTE_SCOPES, scopes, handler);
    document({}, '', { value: handler });
  };
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) declare(descriptor.value as object);
    else for (const handler of handlersWithoutOwnRule(target)) declare(handler);
  };
}

/** The methods of a controller without one of these decorators. Decorators of methods run before those of the class. */
function handlersWithoutOwnRule(controller: object): object[] {
  const { prototype } = controller as { readonly prototype: object };
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }): unknown => value)
    .filter((value): value is object => typeof value === 'function' && value !== controller)
    .filter((handler) => ![PUBLIC_ROUTE, ROUTE_SCOPES].some((key) => Reflect.hasMetadata(key, handler)));
}
