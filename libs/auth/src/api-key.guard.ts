import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import type { Caller, RequestOfCaller } from './caller.js';
import { PUBLIC_ROUTE } from './public.decorator.js';

/** The one global guard: a route without {@link Public} is reached with a valid API key only. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** By controller and handler, where it was looked up before: decorators don't change. */
  private readonly known = new WeakMap<object, WeakMap<object, boolean>>();

  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly reflector: Reflector,
  ) {}

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

/** Node keeps only the first `Authorization` header in `headers`, so a second one shows in the raw list alone. */
function authorizationHeaders({ rawHeaders }: IncomingMessage): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
