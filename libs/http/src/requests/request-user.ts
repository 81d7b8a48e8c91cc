import type { IncomingMessage } from 'node:http';

/** The property that guards set on an authenticated request, as Passport does; the guard decides its type. */
interface WithUser {
  readonly user?: unknown;
}

/** Whether a guard has authenticated the request. */
export function isAuthenticated(request: IncomingMessage): boolean {
  return (request as WithUser).user !== undefined;
}
