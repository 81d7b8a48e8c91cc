import type { IncomingMessage } from 'node:http';
import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { MissingScopeError, type Caller, type RequestOfCaller } from './caller.js';
import { API_KEY_SCOPE } from './api-key.js';

/** Who may use a route: everybody, or every key that has these scopes. */
type Access = 'public' | readonly string[];
const ACCESS = 'animal-store:access';

/** The extension of an operation in the OpenAPI document that needs no API key. */
export const PUBLIC_EXTENSION = 'x-public';

/** The global guard: every route without {@link Public} needs a valid API key, with the {@link Scopes} of the route. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly reflector: Reflector,
  ) {}

  /** @returns a promise only if the key must be looked up, so that the other requests need none */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // What a method declares replaces what its controller declares.
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const needed = access ?? [];
    const request = context.switchToHttp().getRequest<RequestOfCaller>();
    const caller = this.authenticator.authenticate(authorizationHeaders(request));
    if (!(caller instanceof Promise)) return admit(request, caller, needed);
    return caller.then((found) => admit(request, found, needed));
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

/** Node keeps only the first `Authorization` header in `headers`; the raw list has them all, names and values in turn. */
function authorizationHeaders({ rawHeaders }: IncomingMessage): string[] {
  const isName = (text = '') => text.length === 13 && text.toLowerCase() === 'authorization';
  return rawHeaders.filter((_, index) => index % 2 === 1 && isName(rawHeaders[index - 1]));
}

/** Makes a route, or all routes of a controller, usable without an API key. */
export function Public() {
  return applyDecorators(SetMetadata(ACCESS, 'public'), ApiExtension(PUBLIC_EXTENSION, true));
}

/**
 * Requires all these scopes of the API key, for a route or all routes of a controller: `@Scopes('orders:write')`. On a method
 * they replace the scopes, or the `@Public()`, of its controller. A key without any scopes may do everything.
 */
export function Scopes(...scopes: readonly [string, ...string[]]) {
  const malformed = scopes.find((scope) => !API_KEY_SCOPE.test(scope));
  if (malformed !== undefined) throw new Error(`${JSON.stringify(malformed)} is not a scope such as orders:write`);
  return applyDecorators(SetMetadata(ACCESS, scopes), ApiExtension(PUBLIC_EXTENSION, false));
}
