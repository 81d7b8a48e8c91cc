import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import type { Caller, RequestOfCaller } from './caller.js';
import { PUBLIC_ROUTE } from './public.decorator.js';

/** The global guard: every route without {@link Public} needs a valid API key. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** Whether a route is public, by controller and handler. Decorators do not change, so each route is looked up once. */
  private readonly known = new WeakMap<object, WeakMap<object, boolean>>();

  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly reflector: Reflector,
  ) {}

  /** @returns a promise only if the key must be looked up, so that the other requests need none (ADR 0012) */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.isPublic(context)) return true;

    const request = context.switchToHttp().getRequest<RequestOfCaller>();
    const caller = this.authenticator.authenticate(authorizationHeaders(request), request.socket);
    return caller instanceof Promise ? caller.then((known) => admit(request, known)) : admit(request, caller);
  }

  private isPublic(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const controller = context.getClass();
    let handlers = this.known.get(controller);
    if (handlers === undefined) this.known.set(controller, (handlers = new WeakMap()));
    let isPublic = handlers.get(handler);
    if (isPublic === undefined) {
      isPublic = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [handler, controller]) === true;
      handlers.set(handler, isPublic);
    }
    return isPublic;
  }
}

function admit(request: RequestOfCaller, caller: Caller): true {
  request.user = caller;
  return true;
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
