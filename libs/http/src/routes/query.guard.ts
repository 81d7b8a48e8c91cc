import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { excerpt, MAX_REPORTED, RequestError } from '../errors/request.errors.js';
import { mayReadQuery } from './route-metadata.js';

/** The addresses of the operations begin with a version. */
const VERSIONED = /^\/v[0-9]+(?:[/?]|$)/;

/**
 * Refuses query parameters on routes that read none: a filter that is silently ignored would give other data than the
 * client asked for.
 */
export class QueryGuard implements CanActivate {
  private readonly readers = new WeakMap<object, boolean>();

  /** @throws RequestError */
  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const [request] = context.getArgs<[Request]>();
    if (request.url.includes('?') && VERSIONED.test(request.originalUrl) && !this.mayReadQuery(context))
      refuseParameters(request);
    return true;
  }

  private mayReadQuery(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let reads = this.readers.get(handler);
    if (reads === undefined) this.readers.set(handler, (reads = mayReadQuery(context.getClass(), handler)));
    return reads;
  }
}

function refuseParameters({ query }: Request): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  const violations = names
    .slice(0, MAX_REPORTED)
    .map((name) => `unknown query parameter ${JSON.stringify(excerpt(name))}: none are allowed here`);
  throw RequestError.invalid(violations, names.length);
}
