import { BadRequestException, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { joined, quoted } from '../errors/sentences.js';

const NO_QUERY = 'animal-store:no-query';

/**
 * For a route that reads no query: a parameter is 400. A filter that is silently ignored would give other data than the
 * client asked for.
 */
export function NoQuery(): MethodDecorator & ClassDecorator {
  return SetMetadata(NO_QUERY, true);
}

/** Refuses query parameters on routes with {@link NoQuery}: a global guard, because the query comes before the body. */
@Injectable()
export class NoQueryGuard implements CanActivate {
  /** By handler: the query is looked at in most requests. */
  private readonly refuses = new WeakMap<object, boolean>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws BadRequestException that names the parameters */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    if (!this.refusesAt(context)) return true;
    const names = Object.keys(request.query);
    if (names.length === 0) return true;
    throw new BadRequestException(
      joined(
        names.slice(0, 20).map((name) => `unknown query parameter ${quoted(name)}: none are allowed here`),
        names.length,
      ),
    );
  }

  private refusesAt(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let refuses = this.refuses.get(handler);
    if (refuses === undefined) {
      refuses = this.reflector.getAllAndOverride(NO_QUERY, [handler, context.getClass()]) === true;
      this.refuses.set(handler, refuses);
    }
    return refuses;
  }
}
