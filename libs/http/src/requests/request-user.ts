import type { IncomingMessage } from 'node:http';

/** What guards set on a request that they let in, as Passport's do; its form is theirs. */
interface WithUser {
  readonly user?: unknown;
}

/** Whether a guard has let the request in: who sent it is known. */
export function isAuthenticated(request: IncomingMessage): boolean {
  return (request as WithUser).user !== undefined;
}
