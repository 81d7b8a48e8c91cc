import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { setCaller, type Caller } from './caller.js';
import { PUBLIC_ROUTE } from './public.decorator.js';

/** The one global guard: a route without {@link Public} is reached with a valid API key only. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, [context.getHandler(), context.getClass()]))
      return true;

    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const caller = this.authenticator.authenticate(authorizationHeaders(request), request.socket);
    return caller instanceof Promise ? caller.then((known) => admit(request, known)) : admit(request, caller);
  }
}

function admit(request: IncomingMessage, caller: Caller): true {
  setCaller(request, caller);
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
